"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from seqlint.cli.choices import Colour, Format, On, Threshold

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH", help="Files and folders, or '-' for standard input. Default: the working directory."
    ),
]
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How findings are written.")]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", metavar="RULES", help="Rules to use: codes, beginnings of codes, names or ALL, with commas between."
    ),
]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULES", help="Rules not to use.")]
ExtendSelect = Annotated[
    list[str] | None, typer.Option("--extend-select", metavar="RULES", help="Rules to use in addition.")
]
FailOn = Annotated[Threshold, typer.Option("--fail-on", help="The level from which findings give exit code 1.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Patterns, as in a .gitignore, of paths to leave out."),
]
ForceExclude = Annotated[
    bool, typer.Option("--force-exclude", help="Leave out excluded files even when they are named.")
]
ConfigFile = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Use this configuration, not the nearest of each file.")
]
StdinFilename = Annotated[
    str, typer.Option("--stdin-filename", metavar="FILE", help="The file that standard input stands for.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes to use; the processors by default.")
]
OnePart = Annotated[
    str, typer.Option("--shard", metavar="I/N", help="Only the part I of N of the files, for one of N machines.")
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="MODULE:FACTORY",
        help="Work on what this function makes, such as distributed:Client: anything with `submit` that gives futures.",
    ),
]
Keras = Annotated[
    str, typer.Option("--keras", metavar="RANGE", help="The Keras in use, such as '>=3.10', '3.3.3' or 'tf-keras'.")
]
FileTimeLimit = Annotated[
    float | None,
    typer.Option(
        "--file-time-limit",
        min=0,
        metavar="SECONDS",
        help="The time of the processor for each file, 30 by default; what takes longer is SEQ006. 0 is no limit.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither use nor write results of earlier runs.")]
FollowLinks = Annotated[
    bool,
    typer.Option("--follow-links", help="Fix files outside of a folder, too, to which symbolic links in it lead."),
]
TrustRules = Annotated[
    bool,
    typer.Option(
        "--trust-rules",
        help="Load the rules of the project, which are Python code, without `seqlint trust`; as SEQLINT_TRUST_RULES=1 does.",
    ),
]
Color = Annotated[Colour, typer.Option("--color", help="When to use colours; NO_COLOR turns them off, too.")]

Unsafe = Annotated[
    bool | None,
    typer.Option("--unsafe/--no-unsafe", help="Apply fixes that change what a working program does, too."),
]
Verify = Annotated[
    bool, typer.Option("--verify", help="Run each file before and after, and apply only the fixes that are proved.")
]
Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")]

# -- how proofs run programs ----------------------------------------------------------------------------------------------

Device = Annotated[On, typer.Option("--device", help="Where to run; cpu hides the GPUs, gpu proves nothing elsewhere.")]
Replicas = Annotated[int, typer.Option("--replicas", min=1, max=64, help="Logical CPU devices for MirroredStrategy.")]
TimeLimit = Annotated[float, typer.Option("--time-limit", min=1, metavar="SECONDS", help="The time for each run.")]
Epochs = Annotated[int, typer.Option("--epochs", min=1, help="Cut each fit to this many epochs.")]
Steps = Annotated[int, typer.Option("--steps", min=1, help="End each fit after this many train steps.")]
Python = Annotated[
    str, typer.Option("--python", metavar="PATH", help="The interpreter to run on, such as one with another Keras.")
]
Report = Annotated[str, typer.Option("--report", metavar="FILE", help="Write the proof as one page of HTML.")]
