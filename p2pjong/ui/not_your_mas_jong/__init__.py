"""Not Your Ma's Jong in words: pure functions from views, events and questions to lines of text."""
