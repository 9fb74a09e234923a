# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the attributes of component ops that no document explains: neither
the op's description in the dialect reference nor
docs/internals/Attributes.md, in the table for several ops or at the op."""

import pathlib
import re
import sys


def sections(text):
    """The name of each component op, its description, and its attributes."""
    components = text[text.index("### Components"):]
    end = re.search(r"^### (?!Components)", components, re.M)
    for part in re.split(r"^#### ", components[: end.start()], flags=re.M)[1:]:
        name = re.match(r"`(nnet3\.\w+)`", part).group(1)
        description, _, table = part.partition("##### Attributes:")
        yield name, description, re.findall(r"<code>(\w+)</code>", table)


def explained(text):
    """Attributes of several ops (under None) and of each op."""
    result = {None: {"sym_name"}}
    op = None
    for line in text.splitlines():
        if not line.startswith("| "):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = cells[0] if len(cells) == 2 else cells[1]
        if len(cells) == 3 and cells[0]:
            op = cells[0].strip("`")
        result.setdefault(op, set()).update(re.findall(r"`(\w+)`", names))
    return result


docs = pathlib.Path(sys.argv[1]) / "docs" / "internals"
known = explained((docs / "Attributes.md").read_text())
count = 0
for name, description, attributes in sections(
        (docs / "Dialects" / "Nnet3.md").read_text()):
    count += 1
    for attribute in attributes:
        if (attribute not in known[None] | known.get(name, set())
                and not re.search(rf"\b{attribute}\b", description)):
            print(f"{name}: {attribute} is not explained")
print(f"{count} components")
