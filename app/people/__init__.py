"""Room: people. Who asks, accounts, guests, what one may do, and what is theirs. No other room is imported here."""
