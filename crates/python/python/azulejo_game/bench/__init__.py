"""The benchmark: ``python -m azulejo_game.bench``."""
