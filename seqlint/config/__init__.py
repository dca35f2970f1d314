"""What a project asks for in `[tool.seqlint]` of pyproject.toml or in seqlint.toml, and which rules follow from it."""

from seqlint.config.load import check_config, finder, load_config, read_config
from seqlint.config.selectors import check_selectors
from seqlint.config.settings import Config, Overrides

__all__ = ["Config", "Overrides", "check_config", "check_selectors", "finder", "load_config", "read_config"]
