"""A real browser and a real JupyterLab, on this machine only.

The tests skip with a reason where there is no Chromium, unless BROWSER_REQUIRED is set, as
`.ci/run` does after installing Debian's. Requests off the machine are stopped, and kept to
be checked.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import TimeoutError, sync_playwright

from dixitlib.paths import REPOSITORY

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HERE = {"127.0.0.1", None}
PATIENCE = 120_000  # milliseconds, for a busy machine
LABELS = """() => {
  const at = document.activeElement;
  const label = at.labels && at.labels.length ? at.labels[0].innerText : at.innerText;
  return (at.getAttribute("aria-label") || label || "").trim();
}"""


@dataclass
class Watched:
    """A page, and what came of it: console messages, and requests off the machine."""

    page: object
    messages: list[str] = field(default_factory=list)
    strayed: list[str] = field(default_factory=list)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name, key="Tab", limit=80):
        """Press Tab until the named control has the focus."""
        passed = []
        for _ in range(limit):
            passed.append(self.page.evaluate(LABELS))
            if passed[-1] == name:
                return
            self.press(key)
        raise AssertionError(f"{name!r} is not reached by {key}, only {passed}")

    def has_focus(self, name):
        """Wait until the page has brought the focus to the named control."""
        self.page.wait_for_function(f"name => ({LABELS})() === name", arg=name, timeout=PATIENCE)

    def sees(self, words):
        """Wait until words stand on the page, or fail with what stands there instead."""
        try:
            self.page.get_by_text(words).first.wait_for(timeout=PATIENCE)
        except TimeoutError as late:
            seat = self.page.locator(".dixit-play")
            shown = seat.first.aria_snapshot() if seat.count() else self.page.inner_text("body")
            focus = self.page.evaluate(LABELS)
            raise AssertionError(
                f"{words!r} is not seen, {focus!r} has the focus in\n{shown}"
            ) from late


@pytest.fixture(scope="module")
def browser():
    """Give a browser to a module only: while one is open, an event loop runs in this thread."""
    missing = pytest.fail if os.environ.get("BROWSER_REQUIRED") else pytest.skip
    if CHROMIUM is None:
        missing("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def watched(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    seen = Watched(context.new_page())
    seen.page.set_default_timeout(PATIENCE)

    def keep(request):
        if urlsplit(request.url).hostname not in HERE:
            seen.strayed.append(request.url)

    seen.page.on("request", keep)
    seen.page.on("console", lambda message: seen.messages.append(message.text))
    seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
    yield seen
    context.close()


@dataclass(frozen=True)
class Lab:
    """A JupyterLab: its address, its files, and the home that its kernels use."""

    url: str
    folder: object
    home: object

    def open(self, watched, name):
        """Open a notebook, and wait until its kernel listens."""
        watched.page.goto(f"{self.url}/doc/tree/{name}")
        watched.page.locator(".jp-CodeCell .cm-content").first.wait_for()
        # A sleeping test would keep the page from getting its events.
        _until(self._is_ready, watched.page.wait_for_timeout)

    def restart_kernels(self):
        """Restart every kernel, as a crash would."""
        for kernel in self._kernels():
            address = f"{self.url}/api/kernels/{kernel['id']}/restart"
            urllib.request.urlopen(urllib.request.Request(address, method="POST")).close()

    def _is_ready(self):
        """Tell whether a page is connected to a kernel; JupyterLab drops what comes before."""
        try:
            found = self._kernels()
        except OSError:  # the server can't tell yet: the kernel is being started
            return False
        return any(k["connections"] and k["execution_state"] == "idle" for k in found)

    def _kernels(self):
        with urllib.request.urlopen(f"{self.url}/api/kernels") as reply:
            return json.load(reply)


@pytest.fixture(scope="session")
def lab(served, tmp_path_factory):
    root = tmp_path_factory.mktemp("lab")
    (root / "notebooks").mkdir()
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    settings = root / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    options = [
        *("--allow-root", "--ip=127.0.0.1", "--IdentityProvider.token="),
        *("--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={root / 'notebooks'}"),
        *("--LabApp.extension_manager=readonly", "--LabApp.collaborative=False"),
    ]
    with served("jupyterlab", root, options) as url:
        yield Lab(url, root / "notebooks", root / "home")


@pytest.fixture(scope="session")
def served():
    """Give `_served` to tests, which can't import this file."""
    return _served


@contextmanager
def _served(module, root, options):
    """Run a server of Jupyter, nothing of whose leaves a folder, until the tests are over."""
    home_of_a_player(root / "home")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {f"JUPYTER_{kind}_DIR": str(root / kind) for kind in ("CONFIG", "RUNTIME", "DATA")}
    lab = {
        f"JUPYTERLAB_{kind}_DIR": str(root / kind.lower()) for kind in ("SETTINGS", "WORKSPACES")
    }
    environment = os.environ | kept | lab | {"DIXITWORLD_HOME": str(root / "home")}
    command = [sys.executable, "-m", module, "--no-browser", f"--port={port}", *options]
    with (root / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        url = f"http://127.0.0.1:{port}"
        try:
            _until(lambda: server.poll() is not None or _answers(url))
            assert server.poll() is None, (root / "log").read_text()[-2000:]
            yield url
        finally:
            server.kill()  # asked to end, it waits for its kernels, on a busy machine for long
            server.wait()


def home_of_a_player(home):
    """Lay out deck, bank of clues and three clues to be rated, under the study's usual name."""
    (home / "data/human/offline").mkdir(parents=True)
    for part in ("cards", "clues"):
        (home / "data" / part).symlink_to(REPOSITORY / "data" / part)
    for table in ("cases", "items"):
        lines = (REPOSITORY / f"data/human/offline/{table}.csv").read_text().splitlines()[:4]
        (home / f"data/human/offline/{table}.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def quick_play():
    """Lay `18_play` into a folder, as it is but that quick players sit at the table."""

    def lay(folder):
        node = nbformat.read(REPOSITORY / "notebooks/18_play.ipynb", as_version=4)
        cell = next(c for c in node.cells if "parameters" in c.metadata.get("tags", []))
        cell.source += '\nothers = ["random", "first", "clue-only"]'
        nbformat.write(node, folder / "18_play.ipynb")

    return lay


def _answers(url):
    try:
        urllib.request.urlopen(f"{url}/api/status").close()
    except urllib.error.HTTPError:
        return True  # it answers, if only that it knows no such page
    except OSError:
        return False
    return True


def _until(holds, pause=lambda milliseconds: time.sleep(milliseconds / 1000)):
    """Wait until something holds, or fail when patience ends."""
    for _ in range(PATIENCE // 200):
        if holds():
            return
        pause(200)
    raise AssertionError("what was waited for did not come")
