"""Rules times facts gives diagnostics; edits are composed, guarded and repeated until nothing changes."""
