"""seqlint inside of a notebook's kernel: findings below the cell that has run, and fixes of a cell. Only this package asks IPython."""
