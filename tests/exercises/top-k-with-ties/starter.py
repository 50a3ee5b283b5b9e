def top_k(scores, k):
    """The k highest scores as (place, score), the highest first."""
    raise NotImplementedError("sort the places")
