# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapts the pages for the site: links to files outside of docs/, which the
site does not have, become plain text."""

import posixpath
import re

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_uri)

    def replace(match):
        target = match[2]
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(folder, target))
        return match[1] if path.startswith("../") else match[0]

    return LINK.sub(replace, markdown)
