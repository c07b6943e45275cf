"""The table as the rules see it: layouts, table views, and what a view says about the agreed position."""
