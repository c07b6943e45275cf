"""From the camera to a table view: stillness, still pictures, the reader of one table."""
