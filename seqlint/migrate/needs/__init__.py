"""The files that say what a project needs: what they ask for on Keras 3, by edits that keep all else in them."""

from seqlint.migrate.needs.files import Needs, is_need, needs

__all__ = ["Needs", "is_need", "needs"]
