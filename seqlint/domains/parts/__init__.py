"""Which rows of which collection something is trained, validated or tested on."""
