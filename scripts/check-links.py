#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links of the documents.

    check-links.py [ROOT]

Every relative link in the Markdown files of the tree must lead to a file, and
its anchor to a heading of that file. An anchor must be the same on GitHub and
on the site that MkDocs builds. A page that any text file names by its path,
such as docs/Status.md, must exist, too. Each page of docs/ opens with a paragraph that
says what the reader can do after "this page". Prints one line for each fault,
and the number of links.
"""

import functools
import pathlib
import re
import sys

TEXT = {".cpp", ".h", ".td", ".in", ".py", ".sh", ".test", ".mlir", ".txt", ".md"}


def headings(text):
    """The headings outside of blocks of code."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and re.match("#{1,6} ", line):
            title = line.lstrip("#").strip()
            title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
            yield re.sub(r"[`*]", "", title)


def anchors(text, slug):
    """The anchors of a page; a repeated heading gets a number."""
    result, seen = set(), {}
    for title in headings(text):
        name = slug(title)
        count = seen.get(name, 0)
        seen[name] = count + 1
        result.add(f"{name}-{count}" if count else name)
    return result


def github(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def mkdocs(title):
    plain = title.encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


@functools.lru_cache(None)
def page_anchors(path):
    text = path.read_text()
    return anchors(text, github), anchors(text, mkdocs)


def check_links(root, path, text, problems):
    """Checks the links of a document, and returns their number."""
    count = 0
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", lambda m: "`" + "x" * (len(m[0]) - 2) + "`", text)
    for match in re.finditer(r"\]\(([^)\s]+)\)", text):
        target = match[1]
        if re.match(r"[a-z]+:", target):
            continue
        count += 1
        line = text.count("\n", 0, match.start()) + 1
        where = f"{path.relative_to(root)}:{line}"
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            problems.append(f"{where}: there is no {name}")
        elif anchor and file.suffix == ".md":
            on_github, on_site = page_anchors(file)
            if anchor not in on_github:
                problems.append(f"{where}: {name or path.name} has no heading #{anchor}")
            elif anchor not in on_site:
                problems.append(f"{where}: MkDocs calls #{anchor} otherwise")
    return count


def opens_with_aim(text):
    """Whether the first paragraph behind the title says what a page is for."""
    text = re.sub(r"<!--.*?-->\n+", "", text, count=1)
    opening = re.match(r"# [^\n]+\n\n((?:[^\n]+\n)+)", text)
    return opening is not None and "this page" in " ".join(opening[1].split())


def files(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(re.match(r"build(-|$)|\.git$|Inputs$", part) for part in parts):
            continue
        if path.suffix in TEXT and path.is_file():
            yield path


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems, count = [], 0
    for path in files(root):
        text = path.read_text(errors="replace")
        if path.suffix == ".md":
            count += check_links(root, path, text, problems)
            if root / "docs" in path.parents and not opens_with_aim(text):
                problems.append(f"{path.relative_to(root)}: has no opening paragraph")
        for match in re.finditer(r"(?<![\w/])docs/[\w/-]+\.md\b", text):
            if not (root / match[0]).exists():
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{path.relative_to(root)}:{line}: there is no {match[0]}")
    print("\n".join(problems + [f"{count} links"]))
    sys.exit(bool(problems))


main()
