"""Papers of the house at the table: making one up by the four buttons."""
