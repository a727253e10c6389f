"""Remedies for an author's faults, for the mistakes that first bots make.

A remedy is guessed from what is known of the fault, which the bot may have made up: it is advice
for the author, and decides nothing. `tests/first_bots/` has the mistakes, one in each file.
"""

import re
import sys
from collections.abc import Callable, Collection
from typing import NamedTuple, get_type_hints

import games
from arena.model import FaultKind, Reason
from arena.reasons import file_of, line_of, traceback_of
from arena.words import nearest

INSTALLED = ("numpy",)  # what is no part of Python, and bots may import
READING = r"open\(|read_text|read_bytes|\.load\(|listdir|glob\(|exists\(|is_file|stat\("
PROGRAMS = r"subprocess|os\.(system|popen|spawn|exec|fork)|multiprocessing|Process\(|Popen"
SERVERS = r"socket|urllib|requests\.|http\.|urlopen|aiohttp|smtplib|ftplib"


class Case(NamedTuple):
    """A fault for which a remedy is sought."""

    reason: Reason
    text: str  # all that Python says of it
    beside: Collection[str]  # names of the files and folders beside the bot, in the league's folder
    file: str  # the bot's, as its author calls it
    code: str  # the innermost line of the bot's own; "" if unknown

    @property
    def at(self) -> str:
        """The file and the line of the fault."""
        return f"{file_of(self.reason, self.file)} {line_of(self.reason)}".rstrip()


Words = Callable[[Case, re.Match[str]], str]


def remedy(reason: Reason, file: str = "bot.py", beside: Collection[str] = frozenset()) -> str:
    """A remedy for the bot's author, in one line; "" where none is known.

    `file` is the bot's, as its author calls it, and `beside` the names of what else is in that
    folder.
    """
    if reason.rule:
        return _of_rule(reason)
    if reason.legal:
        return _of_word(reason)
    text = traceback_of(reason) or f"{reason.error}: {reason.what}"
    case = Case(reason, text, beside, file, reason.place.code if reason.place else "")
    if reason.kind == "memory":
        return (
            "keep less in memory: the limit, Python included, is memory_mib in "
            "the tournament's config"
        )
    if "time" in (reason.kind, reason.how):
        return _of_time(case)
    for kinds, pattern, advice in RAISED:
        match = re.search(pattern, text) if reason.kind in kinds else None
        if match and (said := advice if isinstance(advice, str) else advice(case, match)):
            return said
    return ""


def _of_rule(reason: Reason) -> str:
    return {
        "bot": reason.about if reason.kind == "load" else "",
        "draws": (
            "draw the numbers of views[i] from rngs[i], such as rngs[i].choice(views[i].legal)"
        ),
        "batch": "return a list from decide_many: one decision per view, in the same order",
        "word": VALUES.get(reason.about, "return one of view.legal, a str"),
    }.get(reason.rule, "")


def _of_word(reason: Reason) -> str:
    bare = reason.played.strip(" \n\t\r\"'")
    if bare in reason.legal:
        return f"return {bare!r} alone, without spaces or line ends: word.strip()"
    near = next((each for each in reason.legal if each.lower() == bare.lower()), None)
    near = near or nearest(bare, reason.legal)
    if near:
        return f"did you mean {near!r}? return one of view.legal, spelled exactly"
    return "return one of view.legal; it changes with every question"


def _of_time(case: Case) -> str:
    if not case.reason.place:
        return "do less per decision, or answer many views at once (decide_many)"
    if case.reason.kind == "load":
        return f"{case.at}: it was here when time ran out; load less"
    return f"{case.at}: it was here when time ran out: an endless loop or a sleep?"


def _missing_module(case: Case, match: re.Match[str]) -> str:
    name = match[1].split(".")[0]
    if case.reason.kind != "load":
        return "move the import to the top of the file: no import works during play"
    if name in case.beside or f"{name}.py" in case.beside:
        file = name if name in case.beside else f"{name}.py"
        folder, slash, _ = case.file.rpartition("/")
        if slash:
            return f"a bot cannot see files outside its folder; move {file} to bots/{folder}"
        bot = case.file.removesuffix(".py")
        return (
            f"a bot cannot see the files next to it; make it a folder: "
            f"bots/{bot}/bot.py and bots/{bot}/{file}"
        )
    near = nearest(name, [each for each in sys.stdlib_module_names if each[0] != "_"], 0.75)
    near = nearest(name, INSTALLED, 0.7) or near
    if near:
        return f"did you mean {near!r}?"
    return (
        f"{name} is not installed where arena runs; do without it, or copy its "
        f"files into the bot's folder"
    )


def _denied(case: Case, match: re.Match[str]) -> str:
    code, loading = case.code, case.reason.kind == "load"
    if re.search(r"\binput\(|sys\.stdin", case.text):
        return "a bot cannot use input(); all it may know is in the view"
    if re.search(PROGRAMS, case.text):
        return "a bot cannot start programs or processes; do the work in its own code"
    if re.search(SERVERS, case.text):
        return "a bot cannot open connections; put what it needs in its folder"
    if re.search(
        r"[\"'][wax]b?\+?[\"']|write_text|write_bytes|mkdir|unlink|remove\(|\.dump\(", code
    ):
        return "a bot cannot write files; use print(...), which `arena logs` shows"
    if re.search(r"^(import|from)\b", code):
        return "move the import to the top of the file: no import works during play"
    if re.search(READING, code):
        if loading:
            return (
                "a bot can read only its own folder; put the file there, and open "
                "Path(__file__).parent / ..."
            )
        return "read it at the top of the file, while the bot loads: no file opens during play"
    if loading:
        return ""
    return "do it at the top of the file, while the bot loads, if a bot may do it at all"


def _argument(case: Case, match: re.Match[str]) -> str:
    called = match[1]
    right = {
        "decide": "def decide(view)", "decide_many": "def decide_many(views, rngs)",
        "Bot": "def __init__(self, game)", "Bot.__init__": "def __init__(self, game)",
        "Bot.decide": "def decide(self, view)", "Bot.end": "def end(self, result)",
    }.get(called)  # fmt: skip
    return f"write `{right}`: that is how arena calls it" if right and not case.reason.place else ""


def _item(case: Case, match: re.Match[str]) -> str:
    key = re.search(r"""(\w+)\[["'](\w+)["']\]""", case.code)
    if not key:
        return "a view has attributes, not keys: write view.legal, not view['legal']"
    return f"write {key[1]}.{key[2]}, not {key[1]}['{key[2]}']"


def _field(case: Case, match: re.Match[str]) -> str:
    name = match[1]
    if re.search(rf"\.{name}\s*([+\-*/|&]|//)?=[^=]", case.code):
        return "a view cannot be changed; use your own variables"
    fields = {game: games.load(game).View._fields for game in games.names()}
    having = [game for game, names in fields.items() if name in names]
    if having:
        return (
            f"only views of {' and '.join(having)} have {name!r}: ask view.game first, and end "
            f"with `return view.legal[0]`"
        )
    every = {"game", "options", "legal"}.union(*fields.values())
    near = nearest(name, every)
    return (
        f"did you mean view.{near}?"
        if near
        else f"no view has {name!r}; `arena rules GAME` lists the fields"
    )


def _of_result(case: Case, match: re.Match[str]) -> str:
    near = nearest(match[1], get_type_hints(games.Result))
    return f"did you mean result.{near}?" if near else "bots/README.md lists the fields of a result"


def _syntax(case: Case, match: re.Match[str]) -> str:
    what = match[0]
    if "TabError" in what:
        return f"{case.at}: indent with spaces only"
    if "IndentationError" in what:
        return f"{case.at}: indent it like the lines around it"
    if "print" in match[2]:
        return f"{case.at}: write print(...), with parentheses"
    if "UTF-8" in match[2]:
        return f"{case.file}: save the file as UTF-8"
    return f"{case.at}: Python cannot read this line; fix it or the line before"


VALUES = {
    "NoneType": "nothing was returned: end every path through decide with return",
    "int": "return the string itself, such as view.legal[0], not its number",
    "bool": "return the string itself, such as view.legal[0]",
    "tuple": "return one of them, such as view.legal[0], not all",
    "list": "return one of them, such as view.legal[0], not all",
    "coroutine": "remove async: decide is an ordinary function",
    "generator": "use return, not yield",
}
"""What to do about a decision that is no str, by its type."""

LOAD: frozenset[FaultKind] = frozenset({"load"})
PLAY: frozenset[FaultKind] = frozenset({"error"})
EITHER = LOAD | PLAY

RAISED: list[tuple[frozenset[FaultKind], str, Words | str]] = [
    (EITHER, r"ModuleNotFoundError: No module named '([^'\n]+)'", _missing_module),
    (LOAD, r"(SyntaxError|IndentationError|TabError): (.*)", _syntax),
    (EITHER, r"FileNotFoundError: .*",
     "put the file into the bot's folder, and open Path(__file__).parent / " "'its name'"),
    (PLAY, r"EOFError|reading from stdin",
     "a bot cannot use input(); all it may know is in the view"),
    (EITHER, r"PermissionError: |ImportError: |BlockingIOError: ", _denied),
    (EITHER, r"TypeError: (?:__main__\.)?([\w.]+)\(\) (?:takes|missing)", _argument),
    (PLAY, r"TypeError: (?:tuple|list) indices must be integers or slices, not str", _item),
    (PLAY, r"AttributeError: 'View' object (?:has no attribute|attribute) '(\w+)'", _field),
    (PLAY, r"AttributeError: 'Result' object has no attribute '(\w+)'", _of_result),
    (PLAY, r"AttributeError: 'tuple' object has no attribute '(?:append|remove|sort|reverse|pop"
           r"|insert|clear|extend|copy)'",
     "a tuple cannot be changed; make a list of it: list(view.legal)"),
    (PLAY, r"RuntimeError: can't start new thread",
     "a bot has one thread; remove the others"),
    (PLAY, r"RecursionError", "it calls itself endlessly; add a case where it stops"),
    (EITHER, r"\bSystemExit\b", "remove the exit; return a decision instead"),
]  # fmt: skip
"""Kinds of fault, a pattern of what Python says, and the words or what finds them: "" leaves it to
the next."""
