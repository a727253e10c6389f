"""Code that games share, and the contract as types. No game itself: `games.names` leaves it out."""
