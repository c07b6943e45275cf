"""Files that are not what they should be: valid ones damaged at random, given to the commands that read them.

``python -m tools.fuzz`` runs as many as wanted and names each unforeseen fault; a slice runs with all other tests.
"""
