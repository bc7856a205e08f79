"""Exact play of Lunar Poker's Ante: the best play over all deals, and hints."""

from pitboss.games.lunar.solver.best_play import LunarBestPlay, choose_best, combine_best_play, tabulate_shard
from pitboss.games.lunar.solver.bundled import MISTAKES_PATH, format_mistakes, load_mistakes
from pitboss.games.lunar.solver.hints import hint
from pitboss.games.lunar.solver.solution import combine_shards, list_shards, solve_shard
from pitboss.solver_api import BundledMistakes, PlayTabulator, ShardedTask, Solver

SOLVER = Solver(
    ShardedTask(list_shards, solve_shard, combine_shards),
    hint,
    PlayTabulator(LunarBestPlay, ShardedTask(list_shards, tabulate_shard, combine_best_play), choose_best),
    simulated_rounds=600,  # a second each; under the default terms the mistakes come bundled
    bundled_mistakes=BundledMistakes(MISTAKES_PATH, load_mistakes, format_mistakes),
)
