"""Values and words that nobody means: wrong kinds, sizes and digits, marks of other languages."""

WRONG_KINDS: tuple[object, ...] = (
    True,
    False,
    None,
    1.5,
    500.0,
    float("nan"),
    float("inf"),
    "1",
    "",
    b"1",
    (),
    [],
    {},
    1j,
    object(),
)
WRONG_SIZES = (-1, -(10**30), 10**6, 10**30)
NOT_TEXT = (None, True, 5, 1.5, b"main")
ODD_TEXT = (
    *("", " ", "0", "-1", "1.5", "1e9", "nan", "inf", "1/0", "=", "@", ":", "x=", "=x", "\u0663", "\u00b2", "\uff15"),
    *("9" * 24, "9" * 5_000, "\udcff", "a\nb", "\0", "x" * 3_000, "[/]", "[red]x", "%s", "{x}", "/", "..", ".toml"),
    *("~", "dealer_qualifies=", "SCP-01=SCP-01", "main=", "=.toml", "/dev/null.toml", "As As", "Jk Jk", "As\x1b[31m"),
)
