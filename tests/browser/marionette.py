"""Firefox, driven by Marionette, for Playwright drives only its own build of it: messages of JSON
with their length before them.
"""

import json
import socket
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

PREFERENCES = {
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "marionette.port": 0,  # any that is free
    "toolkit.telemetry.enabled": False,
}
TOLD = """return Services.console.getMessageArray()
  .filter(said => said instanceof Ci.nsIScriptError && said.sourceName.startsWith('file:'))
  .map(said => `${said.category}: ${said.errorMessage}`);"""


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
            said = next(line for line in self._process.stdout if "Listening on port" in line)
            port = int(said.split()[-1])
            Thread(target=self._process.stdout.read, daemon=True).start()  # so that it never waits
            self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
            self._stream = self._socket.makefile("rwb")
            self._read()  # it introduces itself
            self._number = 0
            self._do("WebDriver:NewSession", strictFileInteractability=True)
        except BaseException:
            self._process.kill()
            raise

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
        self._do("WebDriver:SetWindowRect", width=width, height=900)
        self.told("Services.console.reset(); return [];")
        self._do("WebDriver:Navigate", url="about:blank")  # another fragment alone loads no page
        self._do("WebDriver:Navigate", url=url)

    def ask(self, script: str, *given: object) -> Any:
        words = f"return ({script})(...arguments);"
        return self._do("WebDriver:ExecuteScript", script=words, args=given)

    def told(self, script: str = TOLD) -> list[str]:
        """Return the page's errors and warnings, what its policy forbade among them."""
        self._do("Marionette:SetContext", value="chrome")
        told: list[str] = self._do("WebDriver:ExecuteScript", script=script, args=[])
        self._do("Marionette:SetContext", value="content")
        return told

    def close(self) -> None:
        try:
            self._do("Marionette:Quit", flags=["eForceQuit"])
            self._process.wait(30)
        finally:
            self._process.kill()
            self._process.wait()
            self._stream.close()
            self._socket.close()
