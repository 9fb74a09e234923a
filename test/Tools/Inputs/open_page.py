# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens pages in headless Chromium."""

import subprocess
import tempfile


def get_page(page):
    """The page as it is when its script has run, up to its data."""
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={folder}",
             "--virtual-time-budget=5000", "--dump-dom", page.resolve().as_uri()],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=120, check=True,
        ).stdout
    return text.split('<script id="data"')[0]
