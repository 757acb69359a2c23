"""Results of a check: findings per chunk, totals, baselines and fingerprints."""
