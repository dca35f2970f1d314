"""The linter that knows what Keras really does with data code, fixes it, and proves the fix by running it.

>>> import seqlint
>>> checked = seqlint.check_source(text, path="loader.py", keras=">=3.10")
>>> for found in checked.diagnostics:
...     print(found.start.line, found.code, found.message)
>>> fixed = seqlint.fix_source(text, path="loader.py", unsafe=True)
>>> fixed.text
"""

# Nothing is imported before this, not even `__future__`: `python -m seqlint` has put the working directory first.
import sys

_named = sys.argv[:1] == ["-m"] and sys.orig_argv[-len(sys.argv)].removeprefix("-m") == "seqlint"
if _named and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    _here = sys.path.pop(0)
    if __path__[0].removeprefix(_here)[1:] == "seqlint":
        sys.path.append(_here)  # a checkout that nobody has installed; Python's own modules come before it

from typing import TYPE_CHECKING  # noqa: E402

from seqlint.version import __version__  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.config import Config
    from seqlint.engine import Checked, Fixed
    from seqlint.notebook.shell import Shell

__all__ = ["__version__", "check_source", "fix_source"]


def check_source(
    text: str, *, path: str = "<text>", keras: str = "", select: "Iterable[str]" = (), config: "Config | None" = None
) -> "Checked":
    """Check one text.

    Args:
        text: Python source, with or without a byte order mark. Offsets count in the UTF-8 text without it.
        path: the file that it is, or is to be. Reports name it. Where it exists, the project around it is asked for the
            Keras in use and for classes in other files. The default stands for no file.
        keras: the range of Keras versions, such as ">=3.10"; empty: what the configuration or the project says.
        select: the rules to use: codes, beginnings of codes, names or "ALL"; empty: those of the configuration.
        config: the settings; None: the defaults. `seqlint.config.load_config(path)` gives those of a project. Rules of the
            project run where `seqlint trust` has recorded them, or with `load_config(path, trust_rules=True)`; Python warns
            of others, and `config.untrusted` names them.

    Returns:
        The findings, sorted by place. Text that is no Python is a finding, too (SEQ001).

    Raises:
        ConfigError: `keras` is no range, or `select` names no rule.
        RuleError: a rule of the project can't be loaded.
    """
    from seqlint.runner import text as runner
    from seqlint.runner.process import unwarned
    from seqlint.sources import Source

    _warn_of_untrusted(config)
    with unwarned():
        return runner.check(Source.from_text(text, path), runner.settings(config, keras, select))


def fix_source(
    text: str,
    *,
    path: str = "<text>",
    keras: str = "",
    select: "Iterable[str]" = (),
    unsafe: bool | None = None,
    config: "Config | None" = None,
) -> "Fixed":
    """Fix one text until nothing changes. No file is written.

    Args:
        text: Python source.
        path: as for `check_source`.
        keras: as for `check_source`.
        select: as for `check_source`.
        config: as for `check_source`.
        unsafe: whether to apply fixes that change what a working program does, too; None: as the configuration says.

    Returns:
        The text after the fixes (`text`, with the byte order mark and the newlines of the one before), the fixes that were
        applied or refused, and the findings that are left.

    Raises:
        ConfigError: `keras` is no range, or `select` names no rule.
        RuleError: a rule of the project can't be loaded.
    """
    from seqlint.runner import text as runner
    from seqlint.runner.process import unwarned
    from seqlint.sources import Source

    _warn_of_untrusted(config)
    with unwarned():
        return runner.fix(Source.from_text(text, path), runner.settings(config, keras, select, unsafe=unsafe))


def load_ipython_extension(ipython: "Shell") -> None:
    """`%load_ext seqlint` in a notebook: show below each cell that has run what is found in it."""
    from seqlint.notebook import extension

    extension.load(ipython)


def unload_ipython_extension(ipython: "Shell") -> None:
    """`%unload_ext seqlint`: leave the notebook as it was."""
    from seqlint.notebook import extension

    extension.unload(ipython)


def _warn_of_untrusted(config: "Config | None") -> None:
    for folder in config.untrusted if config is not None else ():
        import warnings

        from seqlint.config import trust

        warnings.warn(f"{folder}: {trust.complaint(folder, whole=True)}", stacklevel=3)
