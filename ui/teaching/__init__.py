"""What a first game teaches: its aim in three pictures, what may be done now, and each thing when it first happens.

The rules' sentences are those of the game's brief (``rules.game.Briefed``): help, teaching and refusals say the same.
"""
