"""Tables: the round driver, histories, sessions, fair shuffles and training.

A table has one to six seats.
"""
