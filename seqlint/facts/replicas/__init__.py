"""What several replicas of `tf.distribute` and ranks of Horovod do together: means, losses, what all must wait for."""
