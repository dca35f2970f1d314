"""`seqlint server`."""

from __future__ import annotations


def server() -> int:
    """Serve an editor over standard input and output (the Language Server Protocol). Editors start it by themselves.

    Needs the extra `seqlint[server]`.
    """
    from seqlint.model import ConfigError

    try:
        from seqlint.server.main import main
    except ModuleNotFoundError as error:
        if error.name not in ("lsprotocol", "pygls"):
            raise
        raise ConfigError("the server needs the extra `server`: pip install 'seqlint[server]'") from error
    main()
    return 0
