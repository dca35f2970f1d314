"""The fork server imports this module, so that its children start with the parser, the facts and the rules in place."""

from contextlib import suppress

with suppress(Exception):  # a package of rules that can't be loaded is told of where its rules are asked for
    from seqlint import registry
    from seqlint.runner import work  # noqa: F401

    registry.load(())
