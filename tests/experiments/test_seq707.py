"""Which names this NumPy lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from packaging.version import Version

from seqlint.knowledge.numpy_removed import REMOVED
from tests.facts.libraries.numpy_here import has

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def missing(release: str) -> list[str]:
    """The names that the rule says are missing in a NumPy."""
    here = Version(release)
    return [
        name for name, (gone, back) in REMOVED.items() if Version(gone) <= here and not (back and Version(back) <= here)
    ]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_what_numpy_removed(line: Line) -> None:
    assert not [name for name in missing(np.__version__) if has(name)]
    if line.is_early:
        assert not any(hasattr(np, name) for name in ("int", "float", "object", "bool", "asscalar"))
        assert all(hasattr(np, name) for name in ("Inf", "product", "float_"))
        line.says(
            "SEQ707", "which has no `np.int`, `np.float`, `np.object`, `np.bool`, `np.asscalar`, but still has `np.Inf`"
        )
    elif not line.is_2 and Version(np.__version__) >= Version("2.4"):
        assert {"trapz", "in1d", "Inf", "int"} <= {*missing(np.__version__)}
        line.says("SEQ707", "AttributeError for every name that this rule reports")
        assert (np.bool, np.long) == (np.bool_, np.int64)
        line.says("SEQ707", "`np.bool` and `np.long` are back in NumPy 2, as `np.bool_` and `np.int64`")


def test_pandas_has_no_numpy_any_more(line: Line) -> None:
    pandas = pytest.importorskip("pandas", minversion="2.0")
    with pytest.raises(AttributeError):
        _ = pandas.np
    line.says("SEQ707", "raises AttributeError from 2.0 on")
