"""Firefox without a window, driven over Marionette: what geckodriver speaks to it, without that.

Playwright drives only its own build of Firefox, or one newer than Debian's. Marionette is the
remote control of every Firefox: messages of JSON with their length before them. Its windows are
450 px wide at least, so that phones are left to Chromium.
"""

import json
import shutil
import socket
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

FIREFOXES = ("firefox-esr", "firefox")
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "marionette.port": 0,  # any that is free
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
TOLD = """return Services.console.getMessageArray()
  .filter(said => said instanceof Ci.nsIScriptError && said.sourceName.startsWith('file:'))
  .map(said => `${said.category}: ${said.errorMessage}`);"""


def firefox() -> str | None:
    """Return the path of the Firefox that is installed, None where there is none."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)


class Firefox:
    """A running Firefox with one window."""

    def __init__(self, program: str, profile: Path) -> None:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        self._process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", profile, "--marionette",
             "--remote-allow-system-access"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self._process.stdout
        try:
            port = self._port(self._process.stdout)
            Thread(target=self._process.stdout.read, daemon=True).start()  # so that it never waits
            self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
            self._stream = self._socket.makefile("rwb")
            self._read()  # it introduces itself
            self._number = 0
            self._do("WebDriver:NewSession", strictFileInteractability=True)
        except BaseException:
            self._process.kill()
            raise

    @staticmethod
    def _port(lines: Any) -> int:
        heard = []
        for line in lines:
            heard.append(line)
            if "Listening on port" in line:
                return int(line.split()[-1])
        raise AssertionError(f"Firefox ended: {''.join(heard)}")

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            digit = self._stream.read(1)
            assert digit, "Firefox has closed the connection"
            length += digit
        return json.loads(self._stream.read(int(length[:-1])))

    def _do(self, command: str, **given: object) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, given]).encode()
        self._stream.write(b"%d:%s" % (len(message), message))
        self._stream.flush()
        _, number, error, result = self._read()
        assert number == self._number
        assert error is None, f"{command}: {error}"
        return result.get("value") if isinstance(result, dict) else result

    def open(self, url: str, width: int) -> None:
        """Open a page in the window, made so many pixels wide, and forget what was told before."""
        self._do("WebDriver:SetWindowRect", width=width, height=900)
        self._told("Services.console.reset(); return [];")
        self._do("WebDriver:Navigate", url="about:blank")  # another fragment alone loads no page
        self._do("WebDriver:Navigate", url=url)

    def ask(self, script: str, *given: object) -> Any:
        """Return what a function of JavaScript returns of the page."""
        return self._do(
            "WebDriver:ExecuteScript", script=f"return ({script})(...arguments);", args=given
        )

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        steps = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._do("WebDriver:PerformActions", actions=[{"type": "key", "id": "k", "actions": steps}])

    def troubles(self) -> list[str]:
        """Return the errors and warnings of the page, what its policy forbade among them."""
        return self._told(TOLD)

    def _told(self, script: str) -> list[str]:
        self._do("Marionette:SetContext", value="chrome")
        told: list[str] = self._do("WebDriver:ExecuteScript", script=script, args=[])
        self._do("Marionette:SetContext", value="content")
        return told

    def close(self) -> None:
        """End it, all of its processes."""
        try:
            self._do("Marionette:Quit", flags=["eForceQuit"])
            self._process.wait(30)
        finally:
            self._process.kill()
            self._process.wait()
            self._stream.close()
            self._socket.close()
