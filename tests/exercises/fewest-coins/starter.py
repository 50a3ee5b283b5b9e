def fewest_coins(amount, coins):
    """The values of as few coins as possible that add up to the amount; None if there are none."""
    raise NotImplementedError("smaller amounts first")
