"""The JSON API of classes."""
