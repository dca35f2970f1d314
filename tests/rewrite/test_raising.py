"""A handler that raises with its cause, or catches less."""

from __future__ import annotations

from textwrap import dedent, indent

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import catch_instead, raise_from
from tests.facts.reading import facts_of


def raised(handler: str, before: str = "pass") -> str:
    text = f"def load(path):\n    {before}\n    try:\n        return read(path)\n{indent(dedent(handler), '    ')}"
    facts = facts_of(text)
    found = facts.handlers.handler(facts.tree.all(cst.ExceptHandler)[0])
    after = apply(facts.source.utf8, raise_from(facts, found, "RuntimeError(path)"))
    return dedent(after.split("return read(path)\n")[1])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("except:\n    return None\n", "except Exception as error:\n    raise RuntimeError(path) from error\n"),
        ("except Exception:\n    return  # lost\n", "except Exception as error:\n    raise RuntimeError(path) from error  # lost\n"),
        ("except Exception as e:\n    print(e)\n    return None\n", "except Exception as e:\n    print(e)\n    raise RuntimeError(path) from e\n"),
        ("except Exception as e:\n    print(e)  # said\n", "except Exception as e:\n    print(e)  # said\n    raise RuntimeError(path) from e\n"),
        ("except (OSError, Exception):\n    pass\n", "except (OSError, Exception) as error:\n    raise RuntimeError(path) from error\n"),
        ("except BaseException: return\n", "except Exception as error:\n    raise RuntimeError(path) from error\n"),
        ("except BaseException as e:\n    pass\n", "except Exception as e:\n    raise RuntimeError(path) from e\n"),
    ],
)  # fmt: skip
def test_a_handler_raises_with_its_cause(before: str, after: str) -> None:
    assert raised(before) == after


def test_the_error_gets_a_name_that_the_function_does_not_use() -> None:
    after = "except Exception as error2:\n    raise RuntimeError(path) from error2\n"
    assert raised("except:\n    return None\n", "error = 1") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("except:", "except OSError:"),
        ("except Exception as e:", "except OSError as e:"),
        ("except (ValueError, Exception):", "except OSError:"),
    ],
)
def test_a_handler_catches_less(before: str, after: str) -> None:
    facts = facts_of(f"try:\n    read()\n{before}\n    pass\n")
    found = facts.handlers.handler(facts.tree.all(cst.ExceptHandler)[0])
    assert (
        apply(facts.source.utf8, [catch_instead(facts, found, "OSError")]) == f"try:\n    read()\n{after}\n    pass\n"
    )
