"""What is printed, drawn and kept for people: charts."""
