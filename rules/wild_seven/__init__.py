"""Wild Seven: gunmen, bumps and the wanted."""
