"""Tables: the round driver for one to six seats, round histories, table sessions, fair shuffles and training."""
