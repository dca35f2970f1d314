"""What a project asks for in `[tool.seqlint]` of pyproject.toml or in seqlint.toml, and which rules follow from it."""

from seqlint.config.load import check_config, finder, load_config, place, read_config
from seqlint.config.selectors import complaint, did_you_mean, first_unknown
from seqlint.config.settings import Config, Overrides
from seqlint.config.table import shown

__all__ = [
    "Config", "Overrides", "check_config", "complaint", "did_you_mean", "finder", "first_unknown", "load_config",
    "place", "read_config", "shown",
]  # fmt: skip
