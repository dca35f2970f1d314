"""The fork server imports this module, so that its children start with the parser, the facts and the rules in place."""

from contextlib import suppress
from pathlib import Path

from seqlint.runner import process

process.begin()
with suppress(Exception):  # a package of rules that can't be loaded is told of where its rules are asked for
    from seqlint.config import Config
    from seqlint.runner import pool, work  # noqa: F401
    from seqlint.runner.plan import Job

    # Some modules are imported when they are first needed.
    work.find(Job("<warm>", b"import keras\n\nclass Feed(keras.utils.Sequence):\n    pass\n", Config(Path("/"))))
