"""The HTML pages of classes."""
