"""How a message tells the user to install an extra that is missing."""


def write_install_hint(extra: str) -> str:
    """Return the command that installs an extra, and where to run it.

    >>> write_install_hint("web")
    "run pip install '.[web]' in the folder of pitboss's source"
    """
    return f"run pip install '.[{extra}]' in the folder of pitboss's source"
