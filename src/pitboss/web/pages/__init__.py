"""The pages of the website, and the commands that they send."""
