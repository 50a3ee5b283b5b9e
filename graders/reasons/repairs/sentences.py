"""The sentence for an edit that makes the answers right, by its kind: with the line for a sample, fixed for a hidden
case.

`{old}` and `{new}` are the student's own code and the changed code, in backticks; `{line}` is its line.
"""

from graders.reasons.repairs.edit import Edit
from graders.text import headline

MAX_QUOTED = 64
WITH = " With {new} your answer is right."

# kind: the sentence for a sample, and that for a hidden case
SENTENCES: dict[str, tuple[str, str]] = {
    "dropped": (
        "Line {line} computes {old} and drops the result, so nothing changes: write {new}.",
        "A statement in your function computes something new and drops it: give the result a name.",
    ),
    "shared": (
        "{old} in line {line} is not a copy: what is changed later changes here too. With a copy of it, such as "
        "`.copy()` makes, your answer is right.",
        "Something that your program stores is changed later, and it is the same object: store a copy.",
    ),
    "shared_rows": (
        "{old} in line {line} holds the same row several times, so a change to one is a change to all: make each row "
        "new, as {new} does.",
        "A list made with `*` holds the same row several times: make each row new, in a comprehension.",
    ),
    "input_changed": (
        "Your function changes its argument {old} in place, and later reads what it has changed: with a copy of "
        "{old}, made first, your answer is right.",
        "Your function changes its argument in place, and later reads what it has changed: work on a copy.",
    ),
    "walked_copy": (
        "Line {line} walks over {old} while it is changed: walk over a copy, {new}.",
        "A loop walks over a list that is changed on the way: walk over a copy.",
    ),
    "self_missing": (
        "{old} in line {line} is a name of this method alone, and the object does not keep it: write {new}.",
        "A method gives a value to a name of its own where the object's is meant: write `self.` in front of it.",
    ),
    "class_for_self": (
        "{old} in line {line} is the class, which all objects share: write {new}, which is this object.",
        "A method changes the class, which all objects share: change `self`.",
    ),
    "axis": (
        "{old} in line {line} works along the wrong axis, or puts one in the wrong place." + WITH,
        "A function in your source is given the wrong axis.",
    ),
    "axes": (
        "From line {line} on your source works along the wrong axis, with {old}." + WITH,
        "Your source works along the wrong axis.",
    ),
    "axis_missing": (
        "{old} in line {line} takes all axes together, and one result for each place is needed." + WITH,
        "A function in your source has no axis, so it takes all axes together.",
    ),
    "keepdims": (
        "{old} in line {line} drops the axis, so its result lines up with the wrong one." + WITH,
        "A function in your source drops an axis, so that its result lines up with the wrong one: keep it.",
    ),
    "keepdims_extra": (
        "{old} in line {line} keeps an axis of size 1 that is too many." + WITH,
        "A function in your source keeps an axis of size 1 that is too many.",
    ),
    "exchanged": (
        "The arguments of {old} in line {line} are in the wrong order." + WITH,
        "The arguments of a call in your source are in the wrong order.",
    ),
    "exchanged_items": (
        "The parts of {old} in line {line} are in the wrong order." + WITH,
        "Two parts of a tuple in your source are in the wrong order.",
    ),
    "indices": (
        "The indices {old} in line {line} are in the wrong order." + WITH,
        "Two indices in your source are in the wrong order.",
    ),
    "operands": (
        "The two sides of {old} in line {line} are the wrong way round." + WITH,
        "The two sides of an operator in your source are the wrong way round.",
    ),
    "branches": (
        "The two branches of {old} in line {line} are the wrong way round." + WITH,
        "The two branches of a condition in your source are the wrong way round.",
    ),
    "transposed": (
        "{old} in line {line} is transposed where it should not be." + WITH,
        "Your source transposes a matrix where it should not.",
    ),
    "not_transposed": (
        "{old} in line {line} needs to be transposed." + WITH,
        "A matrix in your source needs to be transposed.",
    ),
    "einsum": (
        "The letters {old} in line {line} put two axes in the wrong order." + WITH,
        "The letters of an `einsum` in your source put two axes in the wrong order.",
    ),
    "turned_round": (
        "{old} in line {line} turns an axis round, and it should stay as it is: without `::-1` your answer is right.",
        "Your source turns an axis round that should stay as it is.",
    ),
    "equality": (
        "{old} in line {line} decides the case of two equal values the wrong way." + WITH,
        "A comparison in your source decides the case of two equal values the wrong way: look at `<` and `<=`.",
    ),
    "comparison": (
        "The comparison {old} in line {line} is the wrong way round." + WITH,
        "A comparison in your source is the wrong way round.",
    ),
    "and_or": (
        "{old} in line {line} joins its conditions with the wrong word." + WITH,
        "A condition in your source has `and` for `or`, or `or` for `and`.",
    ),
    "condition_extra": (
        "{old} in line {line} asks for too much." + WITH,
        "A condition in your source has a part too many.",
    ),
    "negation": (
        "The condition {old} in line {line} is the wrong way round." + WITH,
        "A condition in your source is the wrong way round.",
    ),
    "truth": (
        "{old} in line {line} treats 0 and what is empty like None." + WITH,
        "A condition in your source treats 0, or what is empty, like None: compare with None.",
    ),
    "mask_inverted": (
        "The condition {old} in line {line} is the wrong way round: it chooses the places that should stay." + WITH,
        "A mask in your source is the wrong way round.",
    ),
    "range_early": (
        "{old} in line {line} ends one too early." + WITH,
        "A `range` in your source ends one too early.",
    ),
    "range_late": (
        "{old} in line {line} ends one too late." + WITH,
        "A `range` in your source ends one too late.",
    ),
    "range_start": (
        "{old} in line {line} starts at the wrong number." + WITH,
        "A `range` in your source starts at the wrong number.",
    ),
    "slice": (
        "{old} in line {line} begins or ends at the wrong place, off by one." + WITH,
        "A slice in your source begins or ends at the wrong place, off by one.",
    ),
    "index": (
        "The index {old} in line {line} is off by one." + WITH,
        "An index in your source is off by one.",
    ),
    "shape_axis": (
        "{old} in line {line} is the size of the wrong axis." + WITH,
        "Your source takes the size of the wrong axis.",
    ),
    "one_less": (
        "{old} in line {line} is one too small." + WITH,
        "A number that your source computes is one too small.",
    ),
    "one_more": (
        "{old} in line {line} is off by one." + WITH,
        "A number that your source computes is off by one.",
    ),
    "operator": (
        "{old} in line {line} has the wrong operator." + WITH,
        "Your source has a wrong operator, such as `*` for `/`, `//` for `/`, or `+` for `-`.",
    ),
    "sum_for_last": (
        "{old} in line {line} adds to what was there, where it should replace it." + WITH,
        "A statement in your source adds to what was there, where it should replace it.",
    ),
    "last_for_sum": (
        "{old} in line {line} replaces in each pass what the passes before have put there: add to it, with {new}.",
        "A statement in a loop replaces what the passes before have put there: add to it, with `+=`.",
    ),
    "sign": (
        "The minus in line {line}, {old}, is one too many." + WITH,
        "Your source has a minus too many.",
    ),
    "dtype": (
        "{old} in line {line} is the wrong dtype." + WITH,
        "Your source uses the wrong dtype.",
    ),
    "dtype_given": (
        "{old} in line {line} makes an array of the wrong dtype, and so of all that is put into it." + WITH,
        "Your source makes an array of the wrong dtype, and so of all that is put into it.",
    ),
    "dtype_default_double": (
        "{old} in line {line} is given no dtype, and so it is float64." + WITH,
        "Your source makes an array without a dtype, and so it is float64.",
    ),
    "dtype_default_single": (
        "{old} in line {line} is given no dtype, and so it is float32." + WITH,
        "Your source makes a tensor without a dtype, and so it is float32.",
    ),
    "scalar_dtype": (
        "{old} in line {line} is float64, and so is what is computed with it." + WITH,
        "A function of NumPy in your source gives float64, and so is what is computed with it.",
    ),
    "function": (
        "{old} in line {line} is the wrong function." + WITH,
        "Your source calls the wrong function, such as `max` for `min` or `sum` for `mean`.",
    ),
    "keyword": (
        "A keyword argument in line {line} is missing or wrong: {old}." + WITH,
        "A keyword argument in your source is missing or has the wrong value.",
    ),
    "keyword_extra": (
        "A keyword argument of {old} in line {line} is one too many." + WITH,
        "Your source gives a function a keyword argument that it should not have.",
    ),
    "infinite": (
        "{old} in line {line} is not beyond every other value, as infinity is." + WITH,
        "A number in your source should be infinite, so that it is beyond every other value.",
    ),
    "constant": (
        "{old} in line {line} is the wrong value." + WITH,
        "A value that is written in your source is wrong, for instance where something starts.",
    ),
    "start_high": (
        "{old} starts too high in line {line}, so a largest value below that is never found. With {new} as its start "
        "your answer is right.",
        "The search for a largest value starts too high in your source: start lower, such as at -inf.",
    ),
    "start_low": (
        "{old} starts too low in line {line}, so a smallest value above that is never found. With {new} as its start "
        "your answer is right.",
        "The search for a smallest value starts too low in your source: start higher, such as at inf.",
    ),
    "power_extra": (
        "The power {old} in line {line} should not be taken." + WITH,
        "Your source takes a power that it should not take.",
    ),
    "choice_extra": (
        "The condition of {old} in line {line} should not be there." + WITH,
        "A condition in your source should not be there.",
    ),
    "filter_extra": (
        "The condition {old} in line {line} should not be there: without it your answer is right.",
        "A condition in your source should not be there: it leaves out items that count like all others.",
    ),
    "if_extra": (
        "{old} in line {line}, with what stands under it, should not be there: without it your answer is right.",
        "An `if` in your source should not be there: its case is no special one.",
    ),
    "if_for_else": (
        "{old} in line {line} should not be there: what stands under its `else` is right in each case.",
        "An `if` in your source should not be there: what stands under its `else` is right in each case.",
    ),
    "if_always": (
        "{old} in line {line} should not be asked: what stands under it is right in each case.",
        "A condition in your source should not be asked: what stands under it is right in each case.",
    ),
    "term_extra": (
        "{old} in line {line} has a term too many." + WITH,
        "A sum in your source has a term too many.",
    ),
    "factor_extra": (
        "{old} in line {line} has a factor or a divisor too many." + WITH,
        "A product or a division in your source has a factor too many.",
    ),
    "call_extra": (
        "{old} in line {line} should not be called here." + WITH,
        "Your source calls a function that should not be called here.",
    ),
    "statement_extra": (
        "{old} in line {line} should not be there: without it your answer is right.",
        "A statement in your source should not be there.",
    ),
    "guard_extra": (
        "Line {line} ends the function where {old}, and it should go on: without that your answer is right.",
        "An `if` in your source ends the function in a case in which it should go on.",
    ),
    "other_argument": (
        "{old} in line {line} takes the wrong value: elsewhere in your source the same function takes another." + WITH,
        "A function in your source is given another value than where you call it elsewhere.",
    ),
    "overflow": (
        "{old} in line {line} may be so large that `exp` overflows, or so small that all becomes 0: subtract the "
        "largest value of each row before `exp`.",
        "`exp` in your source overflows for large values: subtract the largest of each row before it.",
    ),
    "step_missing": (
        "What line {line} returns, {old}, is not in its final form." + WITH,
        "What you return is not in its final form: a step is missing.",
    ),
    "function_missing": (
        "A function is missing in line {line}, around {old}." + WITH,
        "A function, such as `exp`, `sqrt` or `abs`, is missing in your source.",
    ),
    "cancellation": (
        "{old} in line {line} subtracts two nearly equal numbers where the values are far from 0, and the digits are "
        "lost: take the mean of the squared differences from the mean.",
        "Your source computes a variance as a mean of squares minus a squared mean: far from 0 these are two nearly "
        "equal numbers, and the digits are lost. Take the mean of the squared differences.",
    ),
    "short_constant": (
        "{old} in line {line} holds too few digits." + WITH,
        "A constant in your source is written with too few digits.",
    ),
    "small_constant": (
        "{old} in line {line} is the wrong value." + WITH,
        "A small number in your source, such as an epsilon or a tolerance, has the wrong value.",
    ),
    "stops_early": (
        "With {old} in line {line} the loop stops before the answer is exact enough." + WITH,
        "A loop in your source stops before the answer is exact enough: its tolerance is too large.",
    ),
    "few_rounds": (
        "{old} in line {line} gives too few rounds. With more, such as {new}, your answer is right.",
        "A loop in your source has too few rounds, and their number is written down.",
    ),
    "slice_end": (
        "{old} in line {line} takes the wrong end." + WITH,
        "A slice in your source takes the wrong end, such as the last items for the first ones.",
    ),
    "slice_short": (
        "The slice {old} in line {line} leaves out what belongs to it." + WITH,
        "A slice in your source leaves out what belongs to it.",
    ),
    "reshape_for_swap": (
        "{old} in line {line} does not swap the axes: it only cuts the same run of numbers into other rows." + WITH,
        "A reshape in your source stands where two axes should be swapped: it only cuts the same run of numbers into "
        "other rows.",
    ),
    "factor_place": (
        "The factor or divisor of {old} in line {line} belongs to another step." + WITH,
        "A factor or a divisor in your source belongs to another step.",
    ),
    "statements_order": (
        "Line {line}, {old}, and the one below it are in the wrong order.",
        "Two lines in your source are in the wrong order.",
    ),
    "equal_keys": (
        "{old} in line {line} puts values under keys of which some are equal, and of these only the last stays: that "
        "happens in each case that is wrong.",
        "A dict of yours gets several values under equal keys, and of these only the last stays: that happens in each "
        "case that is wrong.",
    ),
    "equal_kept_once": (
        "{old} in line {line} leaves out what has the same key as something before it, since a dict keeps each key "
        "once: that happens in each case that is wrong.",
        "A dict of yours keeps each key once, so of several equal ones only one is left: that happens in each case "
        "that is wrong.",
    ),
    "equal_dropped": (
        "{old} in line {line} keeps only one of several equal ones: that happens in each case that is wrong.",
        "A set or `unique` in your source keeps only one of several equal ones: that happens in each case "
        "that is wrong.",
    ),
    "first_of_equal": (
        "{old} in line {line} finds the first of several equal values each time: keep the place of each beside it, "
        "as `enumerate` gives it.",
        "Your source looks for a value, and finds the first of several equal ones each time: keep the place of each "
        "beside it.",
    ),
    "exception": (
        "{old} in line {line} is another exception than the one that is asked for." + WITH,
        "Your source raises another exception than the one that is asked for.",
    ),
    "loop_name": (
        "{old} in line {line} only gives the loop's own name a new value, and writes nothing into {new}: put the new "
        "value there by its place, which `enumerate` gives, or collect all of them.",
        "In a loop of yours, the loop's own name gets a new value, and nothing is written into what the loop walks "
        "over.",
    ),
    "first_item": (
        "Of what {old} in line {line} gives, only the first item is needed." + WITH,
        "A function in your source gives several things together, and only the first of them is needed.",
    ),
    "paired_indices": (
        "{old} in line {line} takes one number for each pair of indices." + WITH,
        "Two indices in your source are paired, so that single numbers are taken: let one of the axes be whole, `:`.",
    ),
    "gathered": (
        "{old} in line {line} takes one number for each index, and whole rows are needed." + WITH,
        "Your source takes one number for each index, and whole rows are needed: index the array itself.",
    ),
    "made_in_loop": (
        "{old} in line {line} is made again in each pass of the loop, so what the passes before did is lost: put it "
        "above the loop.",
        "Something in your source is made again in each pass of a loop: make it above the loop.",
    ),
    "not_reset": (
        "{old} in line {line} comes only once, above the loop, so each pass goes on with what the one before has "
        "left: put it inside the loop.",
        "Something that a loop of yours changes starts only once, above the loop: start it inside.",
    ),
    "factor_missing": (
        "{old} in line {line} counts in steps of one, and a factor is missing." + WITH,
        "A place in your source is counted in steps of one, and a factor is missing.",
    ),
    "iterator": (
        "{old}, which line {line} returns, is no iterator: a generator gives its items one by one, with `yield`.",
        "Your function returns all items at once, where an iterator is asked for: give them one by one, with `yield`.",
    ),
    "name": (
        "{old} in line {line} is the wrong name." + WITH,
        "Your source reads one name where another is meant, which it reads nowhere.",
    ),
}
# the same with names of ours
HINTED: dict[str, str] = {
    "first_of_equal": "{hint} in your source finds the first of several equal values each time: keep the place of each "
    "beside it.",
    "function": "Your source has {hint}.",
    "operator": "Your source has the operator {hint}.",
    "comparison": "A comparison in your source has {hint}.",
    "equality": "A comparison in your source decides the case of two equal values the wrong way: it has {hint}.",
    "call_extra": "Your source calls {hint} where it should not.",
    "statement_extra": "A {hint} in your source should not be there.",
    "exception": "Your source raises another exception than {hint}, which is asked for.",
}


def sentence(edit: Edit, sample: bool) -> str:
    for_sample, for_hidden = SENTENCES[edit.kind]
    if not sample:
        return HINTED[edit.kind].format(hint=edit.hint) if edit.hint and edit.kind in HINTED else for_hidden
    if not edit.is_whole:
        for_sample = for_sample.replace("your answer is right", "most of it is right")
        for_sample = for_sample.replace("With {new} most of it is right", "With {new} all samples are right")
    if edit.is_at_several:
        for_sample = _at_all_places(edit, for_sample, for_hidden)
    shown = {part: f"`{text}`" for part, text in (("old", edit.old), ("new", edit.new)) if _is_short(text)}
    if "new" not in shown:
        for_sample = for_sample.replace(WITH, "").replace(" With {new} all samples are right.", "")
    if "old" not in shown or ("{new}" in for_sample and "new" not in shown):
        return f"Line {edit.line}: {for_hidden}"
    return for_sample.format(line=edit.line, **shown)


def _at_all_places(edit: Edit, for_sample: str, for_hidden: str) -> str:
    """The sentence for a change at several places at once: at one of them alone, it makes nothing right."""
    lines = edit.lines
    if len(lines) == 1:
        return for_sample.replace("in line {line}", "in line {line}, each time,")
    listed = f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    if "in line {line}" not in for_sample:
        return f"{headline(listed)}: {for_hidden}"
    return for_sample.replace("in line {line}", f"in {listed}")


def _is_short(text: str) -> bool:
    return 0 < len(text) <= MAX_QUOTED and text.isprintable() and "`" not in text
