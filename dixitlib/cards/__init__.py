"""From a dream to a card: scenes, painter, decks."""
