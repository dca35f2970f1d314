"""Starts seqlint from the interpreter that runs this file.

As `python -m seqlint` does, but without the folder of the user first on the path of imports: a `random.py` that lies in a workspace would
be imported in place of Python's own.
"""

import runpy
import sys
from importlib.util import find_spec

sys.path.pop(0)
if sys.argv[1:] == ["--version"] and find_spec("seqlint") and not find_spec("pygls"):
    # Asked before the server is started: one without this would end at once.
    sys.exit("seqlint is there without its server: pip install 'seqlint[server]'")
runpy.run_module("seqlint", run_name="__main__", alter_sys=True)
