"""Writes a rule as Python: lines for the end of a bot's file that play it, for each kind of bot.

They ask the game for features and move classes, as a bot may, and bind names as defaults: the lines
of another rule can follow. Pure.
"""

import re
from collections.abc import Collection
from itertools import chain, count, zip_longest

import games
from arena.insight.rules import OWN, Condition, Rule

ENDS = {
    "decide": """\
def decide(view, advised=advised, decide=decide):
    return advised(view, decide(view))
""",
    "Bot": """\
def advised_decide(self, view, advised=advised, decide=Bot.decide):
    return advised(view, decide(self, view))


Bot.decide = advised_decide
""",
    "decide_many": """\
def decide_many(views, rngs, advised=advised, decide_many=decide_many):
    return [advised(*each) for each in zip(views, decide_many(views, rngs), strict=True)]
""",
}
"""Lines that put the rule around a bot, by the bot's interface."""


def write_rule(rule: Rule, game: games.Game, kinds: Collection[str], text: str) -> str:
    """Write the lines for a bot whose file has this text, with the kinds that the game names; ""
    where the text does not show what the bot defines.
    """
    imported = r"^from .+ import .*\b{}\b"
    ends = [
        ENDS[kind] for kind in ENDS
        if _defines(text, kind) or re.search(imported.format(kind), text, re.MULTILINE)
    ]  # fmt: skip
    if not ends or re.search(r"@(static|class)method\s+def decide\b", text):
        return ""
    names = (f"advised{number}" for number in chain([""], count(2)))
    advised = next(free for free in names if free not in text)
    name = game.NAME
    module = f"{name}_game" if _defines(text, name) else name

    def fits(wanted: str, decision: str) -> str:
        if wanted in kinds:
            return f'"{wanted}" in {module}.move_classes(view, {decision})'
        if "*" not in wanted:
            return f'{decision} == "{wanted}"'
        pattern = "(.*)".join(map(re.escape, wanted.split("*")))
        return f're.fullmatch(r"{pattern}", {decision})'

    body = [f'if view.game != "{name}" or decision not in view.legal:', "    return decision"]
    body += [f"better = [each for each in view.legal if {fits(rule.better, 'each')}]"]
    when = [] if rule.chosen == "*" else [fits(rule.chosen, "decision")]
    if "*" in rule.better and "*" in rule.chosen and not {rule.better, rule.chosen} & {*kinds}:
        stars = [f"re.escape(found[{n + 1}])" for n in range(rule.chosen.count("*"))]
        parts = [f'r"{re.escape(part)}"' for part in rule.better.split("*")]
        stars = [*stars, *['".*"'] * len(parts)][: len(parts) - 1]
        both = chain.from_iterable(zip_longest(parts, stars, fillvalue='r""'))
        exact = " + ".join(part for part in both if part != 'r""')
        body += [f"if found := {fits(rule.chosen, 'decision')}:  # each * as it was, if legal"]
        body += [f"    same = re.compile({exact})"]
        body += ["    better.sort(key=lambda each: not same.fullmatch(each))"]
    when += [_write_condition(condition, game, module) for condition in rule.when]
    changes = [f"changes = {' and '.join(when)}"] * bool(when)
    if rule.when:
        missing = "except (IndexError, KeyError, TypeError):  # no such number in this view"
        changes = ["try:", *(f"    {line}" for line in changes), missing, "    changes = False"]
    body += changes
    only = "changes and " * bool(when)
    body += [f"return better[0] if {only}better and decision not in better else decision"]
    lines = "".join(f"    {line}\n" for line in body)
    source = f"from games import {name}" + f" as {module}" * (module != name)
    imports = ["import re"] * ("re." in lines) + [source] * (f"{module}." in lines)
    head = "\n\n".join(imports) + "\n\n\n" * bool(imports)
    lines = f"{head}def advised(view, decision):  # {rule}\n{lines}\n\n{ends[0]}"
    return re.sub(r"\badvised(?=\b|_decide)", advised, lines)


def _defines(text: str, name: str) -> bool:
    """True if a file's text defines a name at its top level, as far as a look tells."""
    return re.search(rf"^(?:def|class) {name}\b|^{name}\b.*=[^=]", text, re.MULTILINE) is not None


def _write_condition(condition: Condition, game: games.Game, module: str) -> str:
    (name, places, measure), sign, _ = condition
    value = f"view.{name}" if name in game.View._fields else f'{module}.features(view)["{name}"]'
    others = f"enumerate({value}) if seat != view.seat or len({value}) != view.players"
    value += "".join("[view.seat]" if place == OWN else f"[{place}]" for place in places)
    if measure in ("least", "most"):
        value = value if places else f"(each for seat, each in {others})"
        value = f"{'min' if measure == 'least' else 'max'}({value}, default=None)"
    elif measure:
        value = f"{measure}({value})"
    number = str(condition).rpartition(" ")[2]
    return f"{value} - {number} {sign} 0" if sign in ("==", "!=") else f"{value} {sign} {number}"
