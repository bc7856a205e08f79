"""A page in Markdown, as GitHub and Sphinx read it; charts are left out."""

from collections.abc import Iterator

from pitboss.reports.document import RIGHT, Block, Items, Section, Table, Words

_BAR = r"\|"


def markdown(page: Section) -> str:
    """Return a page as Markdown."""
    return "\n\n".join(_section(page, 1)) + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {section.title}"
    for block in section.blocks:
        yield from _block(block)
    for part in section.parts:
        yield from _section(part, level + 1)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Words(text=text):
            yield text
        case Items(items=items, numbered=numbered):
            yield "\n".join(f"{f'{place}.' if numbered else '-'} {item}" for place, item in enumerate(items, start=1))
        case Table():
            if block.title:
                yield f"**{block.title}**"
            rule = ("--:" if side == RIGHT else "---" for side in block.align)
            yield "\n".join([_row(block.heads), f"|{'|'.join(rule)}|", *map(_row, block.rows)])


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |"
