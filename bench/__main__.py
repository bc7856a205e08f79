"""Run every benchmark."""

from bench import counts, environments, evaluators, rounds

evaluators.main()
counts.main()
rounds.main()
environments.main()
