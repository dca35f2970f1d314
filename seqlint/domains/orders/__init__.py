"""The order of a dataset's rows: shuffled, by class, cut in parts, equal to another's."""
