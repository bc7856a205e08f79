"""A page in Markdown, as GitHub and Sphinx read it; charts are left out."""

from collections.abc import Iterator

from pitboss.reports.document import RIGHT, ListBlock, PageBlock, Section, TableBlock, TextBlock

_ESCAPED_BAR = r"\|"


def render_markdown(page: Section) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(_render_section(page, 1)) + "\n"


def _render_section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {section.title}"
    for block in section.blocks:
        yield from _render_block(block)
    for part in section.subsections:
        yield from _render_section(part, level + 1)


def _render_block(block: PageBlock) -> Iterator[str]:
    match block:
        case TextBlock(text=text):
            yield text
        case ListBlock(items=items, numbered=numbered):
            yield "\n".join(f"{f'{place}.' if numbered else '-'} {item}" for place, item in enumerate(items, start=1))
        case TableBlock():
            if block.title:
                yield f"**{block.title}**"
            rule = ("--:" if side == RIGHT else "---" for side in block.alignment)
            yield "\n".join([_render_row(block.headings), f"|{'|'.join(rule)}|", *map(_render_row, block.rows)])


def _render_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', _ESCAPED_BAR) for cell in cells)} |"
