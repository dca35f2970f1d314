"""`python -m seqlint`."""

from seqlint.cli import main

if __name__ == "__main__":
    main()
