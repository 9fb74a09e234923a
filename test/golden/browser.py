# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headless Chromium, controlled over a pipe, and a web server for its pages.

    with Server({"": folder}) as server, Browser() as browser:
        browser.open(server.address + "page.html")
        value = browser.evaluate("await compute()")
"""
import base64
import fcntl
import functools
import http.server
import json
import os
import posixpath
import subprocess
import tempfile
import threading
import urllib.parse

OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-pipe",
    # A microphone that needs no permission, and plays what it is given.
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
]


class Failed(Exception):
    """An exception in the page, or a browser that has ended."""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".weights": "application/octet-stream",
    }

    def __init__(self, folders, *arguments):
        self.folders = folders
        super().__init__(*arguments)

    def translate_path(self, path):
        path = urllib.parse.unquote(urllib.parse.urlparse(path).path)
        path = posixpath.normpath(path).lstrip("/")
        first, _, rest = path.partition("/")
        if first in self.folders:
            return os.path.join(self.folders[first], rest)
        return os.path.join(self.folders.get("", os.devnull), path)

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *arguments):
        pass


class Server:
    """Serves `folders`: the path under the root's folder "", or that under its
    first part."""

    def __init__(self, folders):
        handler = functools.partial(Handler, folders)
        self.server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
        self.address = f"http://localhost:{self.server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


def move_descriptor(descriptor):
    """The descriptor under a number that no program expects."""
    result = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100)
    os.close(descriptor)
    return result


class Browser:
    """One page of Chromium. `sound` is a WAV file for the microphone."""

    def __init__(self, width=1000, height=800, is_mobile=False, sound=None):
        self.size = {"width": width, "height": height, "mobile": is_mobile}
        self.options = list(OPTIONS)
        if sound:
            self.options.append(f"--use-file-for-fake-audio-capture={sound}")
        self.number = 0
        self.session = {}
        self.unread = b""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.commands = map(move_descriptor, os.pipe())
        self.answers, theirs_out = map(move_descriptor, os.pipe())

        def connect():
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        self.process = subprocess.Popen(
            ["chromium", *self.options, f"--user-data-dir={self.folder.name}"],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        target = self.call("Target.createTarget", url="about:blank")
        session = self.call("Target.attachToTarget", flatten=True, **target)
        self.session = {"sessionId": session["sessionId"]}
        self.call("Page.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            deviceScaleFactor=1,
            **self.size,
        )
        return self

    def __exit__(self, *error):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def read(self):
        """The next message of the browser."""
        while b"\0" not in self.unread:
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise Failed("the browser has ended")
            self.unread += data
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        data = json.dumps({**message, **self.session}).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data) :]
        while (answer := self.read()).get("id") != self.number:
            pass
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)
        while self.read().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, code):
        """The value of `code`, statements that end with an expression behind
        `return`, or one expression; both may wait."""
        body = code if "return " in code else f"return ({code});"
        result = self.call(
            "Runtime.evaluate",
            expression=f"(async () => {{ {body} }})()",
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            error = details.get("exception", {})
            raise Failed(error.get("description") or details["text"])
        return result["result"].get("value")

    def choose_files(self, selector, paths):
        """Chooses files in an input element."""
        document = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=document, selector=selector)
        self.call("DOM.setFileInputFiles", files=paths, **node)

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(image))
