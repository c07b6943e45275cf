"""Seven Wonders: three ages, seven wonders, and trade with both neighbours."""
