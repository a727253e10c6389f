"""The GitHub Action's scripts, and a runner that runs them in a repository made for it, where a
program called `arena` notes what it is asked to do.
"""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.places import ROOT

ACTION = (ROOT / "action.yml").read_text()

NOTES = """\
#!/usr/bin/env bash
line="$*"
printf '%s\\n' "${line%% --json*}" >> "$NOTES"
if [[ $1 == standings ]]; then echo "| bot | rating |"; exit; fi
if [[ $1 == tournament ]]; then exit "${PLAYED:-0}"; fi
[[ $2 != *broken* ]]
"""


PASSWORD = "of the league"

Done = subprocess.CompletedProcess[str]


STEPS: dict[str, Any] = {  # that are scripts, by name
    step["name"]: step for step in yaml.safe_load(ACTION)["runs"]["steps"] if "run" in step
}
INPUTS, LOOK, SAME, INSTALL, CHECK, OPEN, LOST, PLAY, SITE, CLOSE, PUBLISH = STEPS


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=ann", "-c", "user.email=ann@localhost")
    done = subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


class Runner:
    """A checked-out repository with an origin."""

    def __init__(self, folder: Path) -> None:
        self.repository, self.folder = folder / "league", folder
        for name in ("league/bots", "bin", "temporary"):
            (folder / name).mkdir(parents=True)
        self.results = folder / "temporary" / "results"  # what arena makes
        self.program("arena", NOTES)
        self.program("python", f'#!/usr/bin/env bash\nexec {sys.executable} "$@"\n')
        git(folder, "init", "--quiet", "--bare", "origin.git")
        git(self.repository, "init", "--quiet", "--initial-branch=main")
        git(self.repository, "remote", "add", "origin", str(folder / "origin.git"))

    def program(self, name: str, text: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def commit(self, **files: str | None) -> None:
        """Commit these files of bots/, by name; None removes one."""
        self.write({f"bots/{name}": text for name, text in files.items()})
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "--allow-empty", "-m", "Bots")

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files of the repository, by path; None removes one, "-> X" makes it a link to X."""
        for name, text in files.items():
            path = self.repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            elif text.startswith("-> "):
                path.symlink_to(text.removeprefix("-> "))
            else:
                path.write_text(text)

    def request(self, files: Mapping[str, str | None]) -> None:
        """Make a pull request of these files, and merge it for the check as GitHub does."""
        git(self.repository, "checkout", "--quiet", "-b", "request")
        self.write(files)
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "-m", "Request")
        git(self.repository, "checkout", "--quiet", "main")
        git(self.repository, "merge", "--quiet", "--no-ff", "--no-edit", "request")

    def check_out(self) -> None:
        shutil.rmtree(self.repository / "bots")
        git(self.repository, "checkout", "--", "bots")

    def check(self, **variables: str) -> Done:
        return self._run_all((LOOK, CHECK), **variables)

    def play_all(self, config: str, branch: str = "") -> Done:
        steps = STEPS if branch else {name: STEPS[name] for name in STEPS if name != PUBLISH}
        names = [name for name, step in steps.items() if "mode == 'play'" in step.get("if", "")]
        variables = {"CONFIG": config, "BRANCH": branch, "TOKEN": "token", "PASSWORD": PASSWORD}
        return self._run_all(names, **variables)

    def play(self, config: str) -> None:
        """Play and publish, with the real arena, on a new machine that has what the cache keeps."""
        self.program("arena", f'#!/usr/bin/env bash\nexec {sys.executable} -m arena "$@"\n')
        git(self.repository, "push", "--quiet", "origin", "main")
        shutil.rmtree(self.results, ignore_errors=True)
        done = self.play_all(config, "standings")
        assert done.returncode == 0, done.stdout + done.stderr

    def published(self) -> dict[str, bytes]:
        """Return what lies on the branch of tables of the origin, by path."""
        origin = self.folder / "origin.git"
        return {
            name: subprocess.check_output(["git", "show", f"standings:{name}"], cwd=origin)
            for name in git(origin, "ls-tree", "-r", "--name-only", "standings").splitlines()
        }

    def run(self, name: str, **variables: str) -> Done:
        """Run a step as the runner does, with bash and these inputs."""
        script, given = self.folder / "step.sh", STEPS[name].get("env", {})
        script.write_text(STEPS[name]["run"])
        environment = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "NOTES": str(self.folder / "notes"),
            "RUNNER_TEMP": str(self.folder / "temporary"),
            "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_REPOSITORY": "cards/league",
            "GITHUB_SERVER_URL": "https://github.com",
            "FROM": "cards/league",
            **{key: value for key, value in given.items() if "${{" not in value},
            **variables,
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository, env=environment, capture_output=True, text=True,
        )  # fmt: skip

    @property
    def asked(self) -> set[str]:
        notes = self.folder / "notes"
        return set(notes.read_text().splitlines()) if notes.exists() else set()

    def _run_all(self, names: Iterable[str], **variables: str) -> Done:
        out = err = ""
        for name in names:
            done = self.run(name, **variables)
            out, err = out + done.stdout, err + done.stderr
            if done.returncode:
                break
        return Done(done.args, done.returncode, out, err)
