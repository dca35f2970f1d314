"""What runs inside the child process: it imports TensorFlow, runs one script and writes down what happened.

The child loads this package from its folder, under a private name, so that the script that runs sees neither seqlint
nor its own modules shadowed by ours. Hence the relative imports: nothing here may import another room.
"""
