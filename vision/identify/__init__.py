"""What a card corner shows, compared with the enrolled deck."""
