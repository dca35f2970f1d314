"""What the values of a run mean, a room for each kind of question. Each domain is worked out when a rule asks."""
