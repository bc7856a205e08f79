"""Run every benchmark."""

from bench import counts, environments, evaluators, monitoring, rounds

evaluators.main()
counts.main()
rounds.main()
environments.main()
monitoring.main()
