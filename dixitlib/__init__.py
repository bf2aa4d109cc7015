"""The DixitWorld compendium: how models make themselves understood, studied with a picture game."""
