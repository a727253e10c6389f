"""The layers that confine a bot on this machine, each tried for real in a child."""

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from random import Random

from arena.errors import ArenaError
from arena.faults.reasons import in_full
from arena.model import NONE, WALLS, Limits
from arena.process.asker import Asker
from arena.process.clock import COUNTS_WAITS
from arena.process.death import Death
from arena.process.refusal import Examination, Layer, Refusal
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import landlock, wire
from arena.system.locks import SNAPSHOTS, make_locked_folder
from games import no_thanks

PROBE = Path(__file__).with_name("probe.py")
"""The bot that is played. It is copied and never imported: it makes its tries at import."""

MOST_TRIES = 32  # questions: the probe has nothing to say to further ones

NO_PLACE = "set TMPDIR to a folder with free space"


def examine() -> Examination:
    layers = list(_machine())
    with suppress(OSError):  # the child says why there is none
        layers.append(Layer("Landlock", True, f"ABI {landlock.abi()}"))
    try:
        layers += try_child(MOST_TRIES)
    except OSError as error:
        what = f"{tempfile.gettempdir()}: {error.strerror}"
        layers.append(Layer("a bot can be copied", False, what, NO_PLACE))
    confinement = WALLS if all(layer.ok for layer in layers) else NONE
    return Examination(confinement=confinement, layers=layers)


@cache
def try_child(tries: int = 1) -> tuple[Layer, ...]:
    """Have one real child raise every layer, load the probe and answer so many of its questions.

    Raises OSError where the probe cannot be copied.
    """
    with _probe_snapshot() as folder:
        try:
            with closing(ZygoteClient()) as zygote:
                return tuple(_tries(Asker(partial(zygote.start, folder, Limits())), tries))
        except OSError as error:
            return (Refusal(error, "").layer,)
        except ArenaError as error:
            lost = Layer("a sandboxed bot starts", False, str(error), "report this")
            return (getattr(error, "layer", lost),)


@contextmanager
def _probe_snapshot() -> Iterator[Path]:
    """A snapshot of the probe: as of other bots, the next that plays removes what is left of it by
    an arena that was killed. Raises OSError.
    """
    folder, lock = make_locked_folder(Path(tempfile.gettempdir()), SNAPSHOTS)
    try:
        shutil.copy(PROBE, folder / "bot.py")
        yield folder
    finally:
        shutil.rmtree(folder)
        if lock is not None:
            os.close(lock)


def _machine() -> Iterator[Layer]:
    kernel = f"{platform.system()} {platform.release()}"
    yield Layer("kernel", True, kernel)
    has_walls = platform.machine() in ("x86_64", "aarch64")
    yield Layer(
        "machine",
        has_walls,
        platform.machine(),
        "use x86_64 or aarch64, or play bots that you trust with --unconfined",
    )
    user = f"uid {os.getuid()}, {'root' if os.getuid() == 0 else 'an ordinary user'}"
    yield Layer("user", True, user)
    yield Layer(
        f"time spent waiting for a core is {'not ' if COUNTS_WAITS else ''}charged", True,
        "schedstat" if COUNTS_WAITS else "no schedstat, so time spent waiting for a core "
        "is charged as CPU time; `wall_ms` limits the total",
    )  # fmt: skip


def _tries(asker: Asker, count: int) -> Iterator[Layer]:
    reason = asker.load()
    if reason:
        yield Layer("a sandboxed bot loads", False, in_full(reason), "report this")
        return
    asker.tell(wire.Hello(no_thanks.NAME, {}))
    options = no_thanks.Options()
    state = no_thanks.State(options, 3, no_thanks.deal(options, 3, Random(1)))
    answers = asker.ask([], [], [state.fields(0, at) for at in range(count)])
    asker.end()
    reasons = [answers.reason] if isinstance(answers, Death) else [*answers.reasons.values()]
    if isinstance(answers, Death) or reasons:
        yield Layer("a sandboxed bot answers", False, in_full(reasons[0]), "report this")
        return
    for decision in filter(None, answers.decisions):
        attempt, _, outcome = decision.partition(": ")
        refused = outcome == "refused"
        yield Layer(f"a bot {attempt}", refused, outcome, "report this: the sandbox has a hole")
    used = f"{asker.cpu_s * 1000:.1f} ms"
    yield Layer("its CPU time is measured from outside", asker.cpu_s > 0, used, "report this")
