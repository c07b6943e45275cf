"""The menus outside of any game: what there is to choose, and what each line does."""
