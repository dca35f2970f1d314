"""Starts seqlint from the interpreter that runs this file.

As `python -m seqlint` does, but without the folder of the user first on the path of imports: a `random.py` that lies in a workspace would
be imported in place of Python's own.
"""

import runpy
import sys

sys.path.pop(0)
runpy.run_module("seqlint", run_name="__main__", alter_sys=True)
