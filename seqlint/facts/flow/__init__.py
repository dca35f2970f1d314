"""What runs what, and which value reaches which place: calls, frames, branches, handlers, mutations, lists."""
