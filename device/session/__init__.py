"""One game being refereed: what is agreed, what the table shows of the next move, and what the display says."""
