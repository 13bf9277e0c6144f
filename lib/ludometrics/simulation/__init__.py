"""Players whose skill is known, on whom every measure is tried before it is believed elsewhere.

Each world is imported from its own modules, so that an edit of one does not run the studies of the others again.

Draughts: `draughts_days.simulate_days` plays some days of games between players and the levels of the computer, by
the settings of a ``DaysSettings`` (`scenarios.SCENARIOS` has those that are compared);
`replications.simulate_replications` does so many times and gives tidy tables. `ladder.rate_levels_offline` measures
levels, `ladder.select_levels` chooses some at even steps, and `truth.truth_table` says what the players truly score
against them.
"""
