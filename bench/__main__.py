"""Run every benchmark."""

from bench import counts, environments, evaluators

evaluators.main()
counts.main()
environments.main()
