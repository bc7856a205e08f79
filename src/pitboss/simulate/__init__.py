"""Any game played by any strategy, as many rounds as asked for: the games' own rules, counted in integers."""
