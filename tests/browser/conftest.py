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
import urllib.request
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import sync_playwright

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
        """Wait until words stand on the page."""
        self.page.get_by_text(words).first.wait_for(timeout=PATIENCE)


@pytest.fixture
def context(tmp_path):
    """Give a browser of the test's own: while one is open, an event loop runs in this thread."""
    missing = pytest.fail if os.environ.get("BROWSER_REQUIRED") else pytest.skip
    if CHROMIUM is None:
        missing("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=CHROMIUM,
            args=FLAGS,
            viewport={"width": 1280, "height": 1000},
        )
        yield opened
        opened.close()


@pytest.fixture
def watched(context):
    seen = Watched(context.new_page())
    seen.page.set_default_timeout(PATIENCE)

    def keep(request):
        if urlsplit(request.url).hostname not in HERE:
            seen.strayed.append(request.url)

    seen.page.on("request", keep)
    seen.page.on("console", lambda message: seen.messages.append(message.text))
    seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
    yield seen
    seen.page.close()


@dataclass(frozen=True)
class Lab:
    """A JupyterLab: its address, its files, and the home that its kernels use."""

    url: str
    folder: object
    home: object

    def write(self, name, *cells):
        """Write a notebook."""
        node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        node.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(node, self.folder / name)

    def run(self, watched, name):
        """Open a notebook, and run its first cell, which is code, with the keyboard."""
        self.open(watched, name)
        watched.page.locator(".jp-Cell .cm-content").first.focus()
        watched.press("Control+Enter")

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
def lab(tmp_path_factory):
    root = tmp_path_factory.mktemp("lab")
    folder, home = root / "notebooks", root / "home"
    folder.mkdir()
    home.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    settings = root / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    environment = os.environ | {
        "DIXITWORLD_HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(root / "config"),
        "JUPYTER_RUNTIME_DIR": str(root / "runtime"),
        "JUPYTER_DATA_DIR": str(root / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(root / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(root / "workspaces"),
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token="),
        *("--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={folder}"),
        *("--LabApp.extension_manager=readonly", "--LabApp.collaborative=False"),
    ]
    with (root / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        made = Lab(f"http://127.0.0.1:{port}", folder, home)
        try:
            _until(lambda: server.poll() is not None or _answers(made.url))
            assert server.poll() is None, (root / "log").read_text()[-2000:]
            yield made
        finally:
            server.kill()  # asked to end, it waits for its kernels, on a busy machine for long
            server.wait()


def _answers(url):
    try:
        urllib.request.urlopen(f"{url}/api/status").close()
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
