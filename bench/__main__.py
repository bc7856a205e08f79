"""Run every benchmark."""

from bench.evaluators import main

main()
