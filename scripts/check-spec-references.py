#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the references to sections of docs/spec.

    check-spec-references.py [ROOT]

A reference is the name of a page with section numbers, such as `components.md
6.19` or `compile.md` §1.1, in any text file of the tree. Its page and its
sections must exist. `spec:` with a number, and `§` or `section`
with a number within docs/spec, are sections of the page itself or of the page named last.

A source that refers to the section of a component type must name that type:
near the reference, or anywhere if the reference is in the comment at the head
of the file. Prints one line for each wrong reference, and the number of
references.
"""

import pathlib
import re
import sys

SOURCES = {".cpp", ".h", ".td", ".def", ".c", ".in", ".fbs"}
OTHERS = {".md", ".py", ".sh", ".test", ".mlir", ".txt", ".cmake"}
LEFT_OUT = {"build", ".git"}
# Lines of the comment at the head of a file.
HEAD = 20

NUMBER = r"(?:\d+(?:\.\d+)*|Q\d+)"
LIST = rf"{NUMBER}(?:(?:, | and | to |-|/|, and |, §| and §|/§){NUMBER})*"


def read_pages(folder):
    """The sections of each page, with their titles."""
    pages = {}
    for path in sorted(folder.glob("*.md")):
        sections = {}
        for line in path.read_text().splitlines():
            if line.startswith("#"):
                title = line.lstrip("#").strip()
                # One heading may be that of two sections.
                parts = re.findall(r"(\d+(?:\.\d+)*)\.? ([^/]*)", title)
                sections.update(parts)
            else:
                row = re.match(r"\| (\d+\.\d+|Q\d+) \| ([^|]*)", line)
                if row:
                    sections[row[1]] = row[2]
        pages[path.stem] = sections
    return pages


def expand(text):
    """The numbers of a list of sections."""
    parts = re.split(r"(, and §?|, §?| and §?| to |-|/§?)", text)
    numbers = [parts[0]]
    for separator, number in zip(parts[1::2], parts[2::2]):
        first, last = numbers[-1].split("."), number.split(".")
        if separator in (" to ", "-") and first[:-1] == last[:-1]:
            for i in range(int(first[-1]) + 1, int(last[-1])):
                numbers.append(".".join(first[:-1] + [str(i)]))
        numbers.append(number)
    return numbers


def plain(text):
    """A name without case, underscores and spaces."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def context(text, position, path):
    """What must name the component of a reference."""
    before = text.count("\n", 0, position)
    if before < HEAD:
        return path.stem + text
    start = text.rfind("\n\n", 0, position)
    # To the end of the function or class behind the comment.
    end = re.compile(r"^}|\n\n///|^def ", re.M).search(text, position)
    return path.stem + text[start : end.start() if end else len(text)]


def names(sections, number):
    """What the component type of a section may be called in a source."""
    component = ".".join(number.split(".")[:2])
    kaldi = re.match(r"(\w+)Component\b", sections.get(component, ""))
    if not kaldi:
        return []
    name = plain(kaldi[1])
    short = re.sub("nonlinearity|^restricted|^elementwise", "", name)
    return [name, short]


def squeeze(text):
    """The text without line ends in comments and repeated spaces, and where
    each of its characters comes from."""
    joined = re.sub(
        r"\n[ \t]*(?:///?|#|\*)?[ \t]*", lambda m: " " * len(m[0]), text
    )
    squeezed, origin = [], []
    for i, c in enumerate(joined):
        if c != " " or not squeezed or squeezed[-1] != " ":
            squeezed.append(c)
            origin.append(i)
    return "".join(squeezed), origin


def check_file(path, text, pages, problems, root):
    """Checks one file, and returns how many references it has."""
    own = path.stem if path.parent == root / "docs/spec" else None
    names_page = rf"(?<![\w/-])(?:spec/)?({'|'.join(pages)})\.md`?,? ?(?:§|quirk )?"
    alone = r"§|[Ss]ections? " if own else r"spec: (?:quirk )?"
    pattern = re.compile(rf"{names_page}({LIST})?|(?:{alone})({LIST})")
    squeezed, origin = squeeze(text)
    count, last = 0, "components"
    for match in pattern.finditer(squeezed):
        position = origin[match.start()]
        line = text.count("\n", 0, position) + 1
        where = f"{path.relative_to(root)}:{line}"
        last = match[1] or last
        candidates = [last] if match[1] or not own else [own, last]
        count += 1
        numbers = expand(match[2] or match[3]) if match[2] or match[3] else []
        for number in numbers:
            if not any(number in pages[page] for page in candidates):
                problems.append(f"{where}: {candidates[0]}.md has no section {number}")
        if path.suffix not in SOURCES or candidates != ["components"]:
            continue
        known = [n for number in numbers for n in names(pages["components"], number)]
        around = plain(context(text, position, path))
        if known and not any(name in around for name in known):
            problems.append(
                f"{where}: the code does not name the component of section "
                f"{match[2] or match[3]}, {known[0]}"
            )
    return count


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    pages = read_pages(root / "docs/spec")
    problems, count = [], 0
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(part in LEFT_OUT or part.startswith("build-") for part in parts):
            continue
        if "Inputs" in parts or path.suffix not in SOURCES | OTHERS:
            continue
        if path.is_file():
            text = path.read_text(errors="replace")
            count += check_file(path, text, pages, problems, root)
    print("\n".join(problems + [f"{count} references"]))
    sys.exit(bool(problems))


main()
