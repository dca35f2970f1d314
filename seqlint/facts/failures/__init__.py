"""What happens to a failure on the way to a batch, and to missing samples and values."""
