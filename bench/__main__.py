"""Run every benchmark."""

from bench import counts, environments, evaluators, monitoring, round_stages, rounds

evaluators.main()
counts.main()
rounds.main()
round_stages.main()
environments.main()
monitoring.main()
