"""What a page sends to the pinned kernel is heard in the order in which it was sent."""

from __future__ import annotations

import json

import pytest
from jupyter_client.manager import start_new_kernel

CODE = """
import json, threading
import ipywidgets

heard = []

def hear(widget, content, buffers):
    heard.append([content["press"], threading.get_ident()])
    if widget is chooser:
        widget.description = str(content["press"])  # as a chosen card does

chooser, teller = ipywidgets.Button(), ipywidgets.Button()
for button in (chooser, teller):
    button.on_msg(hear)
print(chooser.comm.comm_id, teller.comm.comm_id)
"""
PRESSES = 300


@pytest.fixture
def kernel():
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def printed(client, code):
    texts = []
    client.execute_interactive(code, output_hook=lambda said: texts.append(said["content"]))
    return "".join(each.get("text", "") for each in texts)


def subshell(client):
    """Return the thread that JupyterLab would send presses to, where a kernel has such."""
    told = client.kernel_info(reply=True, timeout=60)["content"]
    if "kernel subshells" not in told.get("supported_features", []):
        return {}
    client.control_channel.send(client.session.msg("create_subshell_request"))
    return {"subshell_id": client.get_control_msg(timeout=60)["content"]["subshell_id"]}


def test_presses_of_two_buttons_are_heard_in_order_and_by_one_thread(kernel):
    buttons = printed(kernel, CODE).split()
    header = subshell(kernel)
    for press in range(PRESSES):
        content = {"method": "custom", "content": {"press": press}}
        message = kernel.session.msg("comm_msg", {"comm_id": buttons[press % 2], "data": content})
        message["header"] |= header
        kernel.shell_channel.send(message)
    heard = json.loads(printed(kernel, "print(json.dumps(heard))"))
    assert [press for press, _ in heard] == list(range(PRESSES))
    assert len({thread for _, thread in heard}) == 1
