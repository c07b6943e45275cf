"""The simulated table: cards that lie where players put them, a camera above them, and the players themselves."""
