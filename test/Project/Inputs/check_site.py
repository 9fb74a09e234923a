#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the documentation site, and looks at three pages in a browser.

    check_site.py SOURCE_ROOT WORK_FOLDER

Each page must have its title and not be blank, and the index of the search must
have the text of the pages. Exits with status 77 where Chromium is not installed or MkDocs
cannot be had.
"""

import functools
import http.server
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import threading
import zlib

SKIPPED = 77
PAGES = {
    "index.html": "nnet3-mlir documentation",
    "overview/Architecture.html": "Architecture",
    "user/Tutorial.html": "Tutorial: from a config to a library",
}


def browse(*arguments):
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu"]
    command += ["--window-size=1200,1000", "--virtual-time-budget=10000"]
    return subprocess.run(
        command + list(arguments), capture_output=True, text=True, timeout=120
    ).stdout


def count_rows(png):
    """The number of different lines of pixels in a picture, as they are
    filtered in the file."""
    data, position, pixels = png.read_bytes(), 8, b""
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        kind = data[position + 4 : position + 8]
        content = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            (height,) = struct.unpack(">I", content[4:8])
        elif kind == b"IDAT":
            pixels += content
        position += length + 12
    lines = zlib.decompress(pixels)
    size = len(lines) // height
    return len({lines[i * size : (i + 1) * size] for i in range(height)})


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    root, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not shutil.which("chromium"):
        print("chromium is not installed")
        sys.exit(SKIPPED)
    site = work / "site"
    work.mkdir(parents=True, exist_ok=True)
    built = subprocess.run([root / "scripts/docs.sh", site])
    if built.returncode:
        sys.exit(SKIPPED if built.returncode == 3 else 1)

    index = json.loads((site / "search/search_index.json").read_text())
    texts = {doc["location"]: doc["text"] for doc in index["docs"]}
    for page in ("Glossary.html", "user/Tutorial.html", "spec/components.html"):
        assert texts.get(page), f"the search does not know {page}"

    handler = functools.partial(QuietHandler, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    for number, (page, title) in enumerate(PAGES.items()):
        picture = work / f"page{number}.png"
        picture.unlink(missing_ok=True)
        browse(f"--screenshot={picture}", f"{address}/{page}")
        rows = count_rows(picture)
        assert rows > 100, f"{page} is blank: {rows} different lines of pixels"
        text = browse("--dump-dom", f"{address}/{page}")
        assert f">{title}<" in text, f"{page} has no heading '{title}'"
        print(f"{page}: {rows} different lines of pixels")


main()
