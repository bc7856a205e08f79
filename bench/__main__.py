"""Run every benchmark."""

from bench import counts, evaluators

evaluators.main()
counts.main()
