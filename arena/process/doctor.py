"""What confines a bot on this machine, layer by layer, each one tried for real in a child."""

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

from msgspec import Struct

from arena.errors import Unconfinable
from arena.model import Limits
from arena.process.asker import Asker
from arena.process.clock import COUNTS_WAITS
from arena.process.death import Death
from arena.process.zygote_client import ZygoteClient
from arena.reasons import in_full
from arena.sandbox import landlock, wire
from arena.sandbox.walls import NONE, WALLS
from arena.typed_json import means
from games import no_thanks

PROBE = Path(__file__).with_name("probe.py")
"""The bot that is played. It is copied and never imported: it makes its tries at import."""

MOST_TRIES = 32  # questions: the probe has nothing to say to further ones

NO_PLACE = "set TMPDIR to a folder with free space"
NO_LANDLOCK = "use Linux 5.13 or newer, with landlock in the kernel's `lsm=` list"


class Layer(Struct, frozen=True):
    """One thing that keeps bots in, or that measures them."""

    name: str
    ok: bool
    found: Annotated[str, means("What was found on this machine.")]
    remedy: Annotated[str, means("Empty if ok.")] = ""


class Examination(Struct, frozen=True):
    """What confines bots on this machine."""

    confinement: Annotated[str, means(f"`{WALLS}` where every wall stands, else `{NONE}`.")]
    layers: Annotated[list[Layer], means("All layers that were tried, in that order.")]


def examine() -> Examination:
    layers = list(_machine())
    try:
        layers.append(Layer("Landlock", True, f"ABI {landlock.abi()}"))
    except OSError as error:
        layers.append(Layer("Landlock", False, f"none ({error.strerror})", NO_LANDLOCK))
    try:
        zygote = ZygoteClient()
    except Unconfinable as error:
        layers.append(Layer("a sandboxed bot starts", False, "no", str(error)))
        return Examination(NONE, layers)
    with closing(zygote):
        layers += _tries(zygote)
    return Examination(WALLS if all(layer.ok for layer in layers) else NONE, layers)


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
        "time spent waiting for a core is not charged", True,
        "schedstat" if COUNTS_WAITS else "no schedstat, so time spent waiting for a core "
        "is charged as CPU time; `wall_ms` limits the total",
    )  # fmt: skip


def _tries(zygote: ZygoteClient) -> Iterator[Layer]:
    try:
        place = tempfile.TemporaryDirectory(prefix="arena-doctor-")
    except OSError as error:
        yield Layer("a bot can be copied", False, str(error.strerror), NO_PLACE)
        return
    with place as folder:
        try:
            shutil.copy(PROBE, Path(folder, "bot.py"))
        except OSError as error:
            what = f"{Path(folder).parent}: {error.strerror}"
            yield Layer("a bot can be copied", False, what, NO_PLACE)
            return
        asker = Asker(partial(zygote.start, Path(folder), Limits()))
        reason = asker.load()
        if reason:
            yield Layer("a sandboxed bot loads", False, in_full(reason), "report this")
            return
        asker.tell(wire.Hello(no_thanks.NAME, {}))
        options = no_thanks.Options()
        state = no_thanks.State(options, 3, no_thanks.deal(options, 3, Random(1)))
        answers = asker.ask([], [], [state.fields(0, at) for at in range(MOST_TRIES)])
        asker.end()
        reasons = [answers.reason] if isinstance(answers, Death) else [*answers.reasons.values()]
        if isinstance(answers, Death) or reasons:
            yield Layer("a sandboxed bot answers", False, in_full(reasons[0]), "report this")
            return
        for said in filter(None, answers.decisions):
            attempt, _, outcome = said.partition(": ")
            refused = outcome == "refused"
            yield Layer(f"a bot {attempt}", refused, outcome, "report this: the sandbox has a hole")
        used = f"{asker.cpu_s * 1000:.1f} ms"
        yield Layer("its CPU time is measured from outside", asker.cpu_s > 0, used, "report this")
