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
OutputFormat = Annotated[
    list[str] | None,
    typer.Option(
        "--output-format",
        metavar="FORMAT[:FILE]",
        help=f"How findings are written: {', '.join(Format.__members__)}. May be given several times, with a file for all but one.  [default: text]",
    ),
]
OutputFile = Annotated[
    str, typer.Option("--output-file", metavar="FILE", help="Write the report there, not to standard output.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Write findings alone: no summary, no remarks.")]
ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0 though there are findings; what is broken still gives 2.")
]
Statistics = Annotated[bool, typer.Option("--statistics", help="Count findings by rule in place of listing them.")]
ShowFiles = Annotated[bool, typer.Option("--show-files", help="List the files that would be checked, and end.")]
ShowSettings = Annotated[
    bool, typer.Option("--show-settings", help="Show the settings that hold for each path, and end.")
]
BaselineFile = Annotated[
    str,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Leave out the findings that this file holds, in place of the nearest seqlint-baseline.json.",
    ),
]
NoBaseline = Annotated[bool, typer.Option("--no-baseline", help="Report what a baseline holds, too.")]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", metavar="RULES", help="Rules to use: codes, starts of codes, names or ALL, separated by commas."
    ),
]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULES", help="Rules to turn off.")]
ExtendSelect = Annotated[
    list[str] | None, typer.Option("--extend-select", metavar="RULES", help="Rules to use in addition.")
]
FailOn = Annotated[
    Threshold | None,
    typer.Option("--fail-on", help="The lowest level of findings that gives exit code 1.  [default: warning]"),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Paths to leave out, as .gitignore patterns."),
]
ForceExclude = Annotated[bool, typer.Option("--force-exclude", help="Leave out excluded files even if they are named.")]
ConfigFile = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="Use this configuration for all files, not the nearest of each."),
]
StdinFilename = Annotated[
    str, typer.Option("--stdin-filename", metavar="FILE", help="Treat standard input as the text of this file.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Number of processes; by default one per processor."),
]
OnePart = Annotated[
    str, typer.Option("--shard", metavar="I/N", help="Only part I of N of the files, for one of N machines.")
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="MODULE:FACTORY",
        help="Work on what this function makes, such as distributed:Client: an object whose `submit` returns futures.",
    ),
]
Keras = Annotated[
    str,
    typer.Option(
        "--keras",
        metavar="RANGE",
        help="The Keras in use, such as '>=3.10', '3.3.3', 'tf-keras', 3, 2, both, or auto for the project's.",
    ),
]
FileTimeLimit = Annotated[
    float | None,
    typer.Option(
        "--file-time-limit",
        min=0,
        max=1_000_000_000,
        metavar="SECONDS",
        help="Processor time for each file, 30 by default; a slower file is SEQ006. 0 means no limit.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write results of earlier runs.")]
FollowLinks = Annotated[
    bool,
    typer.Option("--follow-links", help="Also fix files outside of a folder if symbolic links in it lead there."),
]
TrustRules = Annotated[
    bool,
    typer.Option(
        "--trust-rules",
        help="Load the project's own rules, which are Python code, without `seqlint trust`; SEQLINT_TRUST_RULES=1 does the same.",
    ),
]
Color = Annotated[Colour, typer.Option("--color", help="When to use colours; NO_COLOR also turns them off.")]

Unsafe = Annotated[
    bool | None,
    typer.Option("--unsafe/--no-unsafe", help="Also apply fixes that change what a working program does."),
]
Verify = Annotated[
    bool, typer.Option("--verify", help="Run each file before and after, and apply only the fixes that are proved.")
]
Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")]

# -- how proofs run programs ----------------------------------------------------------------------------------------------

Device = Annotated[
    On, typer.Option("--device", help="Where to run: cpu hides the GPUs, gpu proves nothing without one.")
]
Replicas = Annotated[
    int,
    typer.Option(
        "--replicas",
        min=0,
        max=64,
        show_default=False,
        help="Replicas of a MirroredStrategy, on CPUs or parts of a GPU; by default two where the program names one.",
    ),
]
TimeLimit = Annotated[float, typer.Option("--time-limit", min=1, metavar="SECONDS", help="Time limit for each run.")]
Epochs = Annotated[int, typer.Option("--epochs", min=1, help="Cut each fit to this many epochs.")]
Steps = Annotated[int, typer.Option("--steps", min=1, help="Stop each fit after this many training steps.")]
Factory = Annotated[
    str,
    typer.Option(
        "--factory", metavar="MODULE:FUNCTION", help="A function that makes the data for the fit of a module."
    ),
]
Script = Annotated[
    bool, typer.Option("--script", help="Run the file as a script, also where it only seems to define classes.")
]
Root = Annotated[
    str,
    typer.Option(
        "--root", metavar="FOLDER", help="The project that the program belongs to; by default the nearest repository."
    ),
]
Data = Annotated[
    list[str] | None,
    typer.Option(
        "--data", metavar="PATH", help="A file or folder that the program reads, of any size; it is not written."
    ),
]
Python = Annotated[
    str,
    typer.Option("--python", metavar="PATH", help="The Python interpreter to run on, such as one with another Keras."),
]
Context = typer.Context
Report = Annotated[str, typer.Option("--report", metavar="FILE", help="Write the proof as one HTML page.")]

# -- what is done about findings ------------------------------------------------------------------------------------------

AddIgnore = Annotated[
    str | None,
    typer.Option(
        "--add-ignore",
        metavar="[=REASON]",
        help="Write a comment that ignores it for each finding, with a reason if one is given.",
    ),
]
Fixing = Annotated[bool, typer.Option("--fix", help="Apply safe fixes, as `seqlint fix` does.")]
Watch = Annotated[
    bool, typer.Option("--watch", help="Check again whenever a file changes, until Ctrl-C; needs seqlint[watch].")
]
Interactive = Annotated[
    bool, typer.Option("--interactive", "-i", help="Show each fix, safe or not, with its diff, and ask.")
]
