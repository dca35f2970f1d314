"""What classes are: their kinds, bases, methods and subclasses, down to methods that a base in another file calls."""
