"""Cards as people type them.

This is apart from the notation, which the kernels' cached counts depend on.
"""

_SEPARATORS = str.maketrans(",;", "  ")


def separate_cards(text: str) -> str:
    """Return typed cards with one space between them, as the notation has them.

    People type commas and semicolons between cards too.

    >>> separate_cards("Ah, Kd,10h; 2c;")
    'Ah Kd 10h 2c'
    """
    return " ".join(text.translate(_SEPARATORS).split())
