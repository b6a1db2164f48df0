# SPDX-License-Identifier: GPL-3.0-or-later
"""A real browser for tests: headless Chromium, driven over chromedriver's WebDriver interface."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--window-size=1000,700"]

# What WebDriver calls keys.
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Left": "\ue012", "Up": "\ue013",
        "Right": "\ue014", "Down": "\ue015", "Control": "\ue009"}

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Whatever the environment says of proxies: it is on this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


# The tools that it takes.
BROWSER = ("chromium", "chromedriver")


class Browser:
    """with Browser() as browser: ..."""

    def __enter__(self):
        self.place = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                break
        self.base = "http://127.0.0.1:%s" % port[1]
        options = {"binary": shutil.which("chromium"),
                   "args": ARGUMENTS + ["--user-data-dir=" + self.place.name]}
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/session/" + answer["sessionId"]
        return self

    def __exit__(self, *_):
        self._call("DELETE", "")
        self.driver.terminate()
        self.driver.communicate()
        self.place.cleanup()

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with OPENER.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, path):
        """Load the file PATH; forget what was logged before."""
        self.log()
        self._call("POST", "/url", {"url": "file://" + path})

    def log(self):
        """What the browser had to complain about since it was asked the last time."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def run(self, script, *arguments):
        """What the function body SCRIPT returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def click(self, selector):
        """Click on the first element of SELECTOR."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", "/element/%s/click" % found[ELEMENT], {})

    def keys(self, *names):
        """Press keys one after the other: characters, names of KEYS, "Control+f" held down."""
        actions = []
        for name in names:
            held = [KEYS.get(key, key) for key in (name.split("+") if len(name) > 1 else [name])]
            actions += [{"type": "keyDown", "value": key} for key in held]
            actions += [{"type": "keyUp", "value": key} for key in reversed(held)]
        self._call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def point(self, selector):
        """Rest the pointer on the first element of SELECTOR."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "origin": found, "x": 0, "y": 0, "duration": 0}]}]})

    def scheme(self, name):
        """Prefer the colours NAME: "dark" or "light"."""
        self._call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme", "value": name}]}})

    def size(self, width, height):
        """Make the window so large."""
        self._call("POST", "/window/rect", {"width": width, "height": height})

    def picture(self, path):
        """Write what is seen to PATH, as PNG."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))
