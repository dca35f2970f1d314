"""What pipelines are made from: generators, Python functions, Sequences, flows, lists of files, windows."""
