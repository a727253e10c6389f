"""Remedies for an author's faults, for the mistakes that first bots make.

A remedy is guessed from what is known of the fault, which the bot may have made up: it is advice
for the author, and decides nothing. `tests/first_bots/` has the mistakes.
"""

import re
import sys
from collections.abc import Callable, Collection
from typing import NamedTuple, get_type_hints

import games
from arena.faults.kinds import FaultKind
from arena.faults.reasons import LONGEST, file_of, line_of, traceback_of
from arena.model import Reason
from arena.words import nearest
from games.kit.state import BaseState

INSTALLED = ("numpy",)  # what is no part of Python, and bots may import
REMOVED = ("asyncore", "nntplib", "spwd")  # from Python, and like names that it has still
PROGRAMS = r"subprocess|os\.(?:system|popen|spawn|exec|fork)|multiprocessing|Process\(|Popen"
SERVERS = r"socket|urllib|requests\.|http\.|urlopen|aiohttp|smtplib|ftplib"
WRITES = r"[\"'][wax]b?\+?[\"']|write_|mkdir|makedirs|unlink|remove\(|\.dump\(|/logging/"
REFUSED = r"(?s:.*\b(?:PermissionError|ImportError|BlockingIOError|URLError): )"

NEWER = {
    12: r"type \w+.*=|(?:async )?def \w+\[|class \w+\[|(?s:.*)f-string expression part|"
        r""".*\bf(["']).*?\{[^}\n]*\1.*\}.*\n(?s:.*f-string: )""",
    14: r"""except \w+, ?[A-Z]|.*(?<!\w)t["']""",
    15: r"lazy (?:import|from) ",
}  # fmt: skip
"""Syntax by the version of Python 3 that has it first."""
PYTHON = f"Python 3.{sys.version_info.minor}"


RENAMED = {
    "Chance": "Rng", "Course": "Actions", "Face": "Symbol", "OF_ALL": "COMMON_FIELDS",
    "ROUND": "ROUND_NAME", "SHARE_DECKS": "SHARED_DECKS", "Said": "Phrase", "UNIT": "SCORE_UNIT",
    "asked": "priority", "bind": "bind_options", "changed": "changed_options",
    "choice": "has_choice", "counted": "derived_zones", "dealt": "initial_setup",
    "face": "symbol", "flat": "format_value", "heard": "describe_event",
    "kinds": "move_classes", "notions": "features", "options_from": "parse_options",
    "out": "forfeited", "outcome": "describe_round", "parts": "split_decision",
    "pieces": "count_pieces", "redealt": "resample", "reopened": "complete_setup",
    "round_word": "round_name", "said": "describe_events", "setup_from": "parse_setup",
    "shares_decks": "shared_decks", "situation": "make_view", "state_from": "determinize",
    "told": "summarize", "turn": "to_act", "unit": "score_unit",
}  # fmt: skip
"""Names of `games`, of its modules and of a state, as older bots call them, and as they are now."""


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
    text = traceback_of(reason) or f"{reason.error}: {reason.message}"
    case = Case(reason, text, beside, file, reason.place.code[:LONGEST] if reason.place else "")
    if reason.kind == "memory":
        return "keep less in memory: memory_mib in the config is the limit, Python included"
    if "time" in (reason.kind, reason.how):
        return _of_time(case)
    for kinds, pattern, advice in RAISED:
        match = re.search(pattern, f"{case.code}\n{text}") if reason.kind in kinds else None
        if match and isinstance(advice, str):
            return advice.format(*match.groups(), at=case.at)
        if match and callable(advice) and (words := advice(case, match)):
            return words
    if reason.kind == "load" and reason.how in ("crash", "memory"):
        return "if the machine was short of memory, run again: the next run tries to load it"
    return ""


def _of_rule(reason: Reason) -> str:
    return {
        "bot": reason.about if reason.kind == "load" else "",
        "draws": "draw numbers for views[i] from rngs[i], such as rngs[i].choice(views[i].legal)",
        "batch": "return a list from decide_many: one decision per view, in the same order",
        "word": VALUES.get(reason.about, "return one of view.legal, a str"),
    }.get(reason.rule, "")


def _of_word(reason: Reason) -> str:
    bare = reason.played.strip(" \n\t\r\"'")
    if bare in reason.legal:
        return f"return {bare!r} alone, without spaces or line ends: word.strip()"
    near = next((word for word in reason.legal if word.lower() == bare.lower()), None)
    near = near or nearest(bare, reason.legal)
    if near:
        return f"did you mean {near!r}? return one of view.legal, spelled exactly"
    return "return one of view.legal; it changes with every question"


def _of_time(case: Case) -> str:
    if not case.reason.place:
        return "do less per decision, or answer many views at once (decide_many)"
    here = f"{case.at}: it was here when time ran out"
    if case.reason.kind == "load":
        return f"{here}; load less"
    once = "Compute what never changes at the top of the file, where the limit is load_ms"
    return f"{here}: an endless loop or a sleep? {once}"


def _missing_module(case: Case, match: re.Match[str]) -> str:
    name, folder = match[1].split(".")[0], case.file.rpartition("/")[0]
    file = name if name in case.beside else f"{name}.py"
    ours, bot = "No module" not in match[0] or "this_bot" in match[0], case.file.removesuffix(".py")
    if folder and name == folder:
        return f"the bot's folder is the package: import its modules without `{name}.`"
    if folder and file in case.beside:
        return f"a bot cannot see files outside its folder; move {file} to bots/{folder}"
    if folder and ours:
        return f"bots/{folder} has no {file}; is it misspelled?"
    if ours or file in case.beside:
        files = f"bots/{bot}/bot.py and bots/{bot}/{file}"
        return f"a bot cannot see the files next to it; make it a folder: {files}"
    if match[1] in sys.stdlib_module_names:
        return f"{name} is missing from this {PYTHON}: do without it, or ask the organiser"
    public = [lib for lib in sys.stdlib_module_names if lib[0] != "_" and name not in REMOVED]
    if near := nearest(name, INSTALLED, 0.7) or nearest(name, public, 0.75):
        return f"did you mean {near!r}?"
    return (
        f"{name} is not installed where arena runs: ask the organiser for it, do without it, or "
        f"copy it into the bot's folder if it is small and pure Python"
    )


def _argument(case: Case, match: re.Match[str]) -> str:
    called = match[1]
    right = {
        "decide": "def decide(view)", "decide_many": "def decide_many(views, rngs)",
        "Bot": "def __init__(self, game)", "Bot.__init__": "def __init__(self, game)",
        "Bot.decide": "def decide(self, view)", "Bot.end": "def end(self, result)",
    }.get(called)  # fmt: skip
    return f"write `{right}`: that is how arena calls it" if right and not case.reason.place else ""


def _renamed(case: Case, match: re.Match[str]) -> str:
    where, old = match[1] or match[4] or ("state" if match[2] else ""), match[3]
    for name in games.names():  # with the modules that it imports
        games.load(name)
    place, new = BaseState if match[2] else sys.modules.get(where), RENAMED.get(old)
    return f"{where}.{old} is now {where}.{new}" if new and hasattr(place, new) else ""


def _field(case: Case, match: re.Match[str]) -> str:
    name = match[1]
    if re.search(rf"\.{name}\s*([+\-*/|&]|//)?=[^=]", case.code):
        return "a view cannot be changed; use your own variables"
    fields = {game: games.load(game).View._fields for game in games.names()}
    having = [game for game, names in fields.items() if name in names]
    if having:
        only = f"only views of {' and '.join(having)} have {name!r}"
        return f"{only}: ask view.game first, and end with `return view.legal[0]`"
    if near := nearest(name, {"game", "options", "legal"}.union(*fields.values())):
        return f"did you mean view.{near}?"
    return f"no view has {name!r}; `arena rules GAME` lists the fields"


def _of_result(case: Case, match: re.Match[str]) -> str:
    near = nearest(match[1], get_type_hints(games.Result))
    return f"did you mean result.{near}?" if near else "bots/README.md lists the fields of a result"


VALUES = {
    "NoneType": "nothing was returned: end every path through decide with return",
    "int": "return the string itself, such as view.legal[0], not its number",
    "bool": "return the string itself, such as view.legal[0]",
    "tuple": "return one of them, such as view.legal[0], not all",
    "list": "return one of them, such as view.legal[0], not all",
    "coroutine": "remove async: decide is an ordinary function",
    "generator": "use return, not yield",
}
"""Remedies for a decision that is no str, by its type."""

LOAD: frozenset[FaultKind] = frozenset({"load"})
PLAY: frozenset[FaultKind] = frozenset({"error"})
EITHER = LOAD | PLAY

RAISED: list[tuple[frozenset[FaultKind], str, Words | str]] = [
    (LOAD, r"\bTabError", "{at}: indent with spaces only"),
    (LOAD, r"\bIndentationError", "{at}: indent it like the lines around it"),
    (LOAD, r"call to 'print'", "{at}: write print(...), with parentheses"),
    (LOAD, r"null bytes|SyntaxError: .*(?i:UTF-8)",
     "{at}: save the file as UTF-8, not as UTF-16 or in another encoding"),
    (LOAD, r"\A(?:[%!].*|.*\?)\n(?s:.*SyntaxError)|'get_ipython'",
     "{at}: remove this line of a notebook; a bot is plain Python"),
    (LOAD, r"\A(```|>>>|<<<<<<<|=======)(?s:.*SyntaxError)", "{at}: remove {0}; it is not Python"),
    (LOAD, r"SyntaxError: invalid (?:character|non-printable)",
     "{at}: retype this character; it only looks like a quote, sign or space"),
    *[
        (LOAD, rf"\A(?=(?s:.*SyntaxError))(?:{pattern})", "{at}: this looks like Python 3."
         f"{minor}, but arena runs {PYTHON}; use older syntax")
        for minor, pattern in NEWER.items() if sys.version_info < (3, minor)
    ],
    (LOAD, r"SyntaxError", "{at}: Python cannot read this line; fix it or the line before"),
    (EITHER, r"beyond top-level|\Afrom \.\.(?s:.*no known parent)",
     "a bot cannot see files outside its folder; move them into it"),
    (LOAD, r"\Afrom \.(?:\s*import )?(\w+)(?s:.*no known parent)", _missing_module),
    (LOAD, r"ModuleNotFoundError: No module named 'games\.(?:_\w+)'",
     "import names from `games` or from its game, such as `from games import Zone`"),
    (LOAD, r"ModuleNotFoundError: No module named '(?:this_bot\.)?([^'\n]+)'", _missing_module),
    (EITHER, r"(?:module '(games[\w.]*)' has no attribute|'(State)' object has no attribute"
             r"|cannot import name) '(\w+)'(?: from '(games[\w.]*)')?", _renamed),
    (EITHER, r"\bcards\((?s:.*)'module' object is not callable", "cards(...) is now pack(...)"),
    (PLAY, rf"ModuleNotFoundError|\A(?:import|from)\b{REFUSED}",
     "move the import to the top of the file: no import works during play"),
    (LOAD, r"cannot import name '(\w+)' from 'this_bot'",
     "the bot's folder has no module {0}; its __init__.py is not run"),
    (EITHER, r"cannot import name '|module '[\w.]+' has no attribute '",
     f"is the name misspelled, newer than this {PYTHON}, or do two modules import each other?"),
    (EITHER, r"attribute '(\w+)' on <module '__main__'",
     "the script that pickled it was __main__: move {0} into a module of the bot, have the "
     "script import it from there, and pickle again; or keep plain lists and numbers"),
    (EITHER, r"instantiate abstract class",
     "arena makes a Bot: give that name to the class that has all of its methods"),
    (EITHER, r"EOF when reading|reading from stdin|(?<![\w.])input\(|sys\.stdin",
     "a bot cannot use input(): arena calls decide(view), and the view has all that it may know"),
    (LOAD, r"\A.*\b(os\.environ|sys\.argv)", "a bot gets no {0}; write the value into its file"),
    (EITHER, r"can't start new thread", "a bot cannot start threads; remove them"),
    (EITHER, rf"\basyncio\b{REFUSED}",
     "a bot cannot run an event loop; write ordinary functions, without async and await"),
    (EITHER, rf"(?:{PROGRAMS}){REFUSED}",
     "a bot cannot start programs or processes; do the work in its own code"),
    (EITHER, rf"(?:{SERVERS}){REFUSED}",
     "a bot cannot open connections; put what it needs in its folder"),
    (EITHER, rf"temporary directory|(?:{WRITES}){REFUSED}",
     "a bot cannot write files; use print(...), which `arena logs` shows"),
    (EITHER, r"FileNotFoundError",
     "put the file into the bot's folder, and open Path(__file__).parent / 'its name'"),
    (LOAD, r": (\S+): cannot open shared object file",
     "{0} is missing, or bots cannot read it; put it in the bot's folder or /usr/local/lib"),
    (EITHER, r"failed to map segment",
     "bots are copied to a folder that is mounted noexec: set TMPDIR to another one"),
    (LOAD, r"\A(?:import|from)\b(?s:.*)PermissionError: .*'/",
     "bots cannot read the package there; install it in the environment that arena runs in"),
    (LOAD, r"PermissionError: .*: '",
     "a bot can read only its own folder; put the file there: Path(__file__).parent / 'its name'"),
    (PLAY, r"PermissionError: .*: '",
     "read it at the top of the file, while the bot loads: files cannot be opened during play"),
    (LOAD, r"PermissionError", "the sandbox refuses this; do without it"),
    (PLAY, r"PermissionError|ImportError|BlockingIOError",
     "do it at the top of the file, while the bot loads; the sandbox refuses it during play"),
    (EITHER, r"TypeError: (?:__main__\.)?([\w.]+)\(\) (?:takes|missing)", _argument),
    (PLAY, r"\A.*?(\w+)\[[\"'](\w+)[\"']\](?s:.*)TypeError: (?:tuple|list) indices must be",
     "write {0}.{1}, not {0}['{1}']"),
    (PLAY, r"TypeError: (?:tuple|list) indices must be integers or slices, not str",
     "a view has attributes, not keys: write view.legal, not view['legal']"),
    (PLAY, r"AttributeError: 'View' object (?:has no attribute|attribute) '(\w+)'", _field),
    (PLAY, r"AttributeError: 'Result' object has no attribute '(\w+)'", _of_result),
    (PLAY, r"AttributeError: 'tuple' object has no attribute '(?:append|remove|sort|reverse|pop"
           r"|insert|clear|extend|copy)'",
     "a tuple cannot be changed; make a list of it: list(view.legal)"),
    (PLAY, r"RecursionError", "it calls itself endlessly; add a case where it stops"),
    (EITHER, r"\bSystemExit\b", "remove the exit; return a decision instead"),
]  # fmt: skip
"""Kinds of fault, a pattern of what Python says, and the words or what finds them: "" leaves it to
the next."""
