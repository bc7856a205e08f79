"""The table: a round for one to six seats, driven once for every way of playing it, and its history."""
