"""Where the page of a rule is on the web: under the documentation's address, which pyproject.toml states once."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

_LABEL = "Documentation"


@cache
def documentation() -> str:
    """The address of the documentation, with a slash at its end; empty where seqlint is not installed as a package."""
    try:
        urls = metadata("seqlint").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return named[_LABEL].rstrip("/") + "/" if _LABEL in named else ""


def page_of(code: str, base: str | None = None) -> str:
    """The address of a rule's page, such as ".../rules/SEQ204/"; empty where nothing is known of one.

    Args:
        base: the address of the documentation; None: that of the installed package.
    """
    home = documentation() if base is None else base
    return f"{home}rules/{code}/" if home and code.startswith("SEQ") else ""
