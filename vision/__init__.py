"""Pictures to table views: stillness, mat, finding cards, naming them."""
