"""Accepts every smallest choice of coins, in any order."""


def accept(inputs, output, expected):
    if output is None or expected is None:
        return None if output is expected else wrongly_none(output)
    if not set(output) <= set(inputs["coins"]):
        return "You pay with a coin that there is not."
    if sum(output) != inputs["amount"]:
        return "Your coins do not add up to the amount."
    if len(output) != len(expected):
        return f"You need {len(output)} coins; {len(expected)} are enough."
    return None


def wrongly_none(output):
    return "There are coins for this amount." if output is None else "No coins add up to this amount: return `None`."
