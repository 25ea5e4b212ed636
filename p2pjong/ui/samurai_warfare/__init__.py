"""Samurai Warfare in words: pure functions from views, events and questions to lines of text."""
