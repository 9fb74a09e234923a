#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the data of a report page say, and checks that they fit.

    read_report.py PAGE

The page loads nothing, and its policy allows its own style and script only.
"""

import base64
import hashlib
import json
import pathlib
import re
import sys


def get_hash(text):
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def check_page(page):
    """The policy and the elements that could load something."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    style = re.search(r"<style>(.*?)</style>", page, re.S)[1]
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.S)
    assert [attributes for attributes, _ in scripts] == [
        ' id="data" type="application/json"',
        "",
    ]
    expected = (
        f"default-src 'none'; style-src {get_hash(style)}; "
        f"script-src {get_hash(scripts[1][1])}"
    )
    assert policy == expected, policy
    assert not re.search(r'(src|href)="|@import|url\(', page)
    return json.loads(scripts[0][1])


def check_side(side):
    """Commands, matrices, and the live bytes recomputed from the matrices."""
    commands, matrices, live = side["commands"], side["matrices"], side["live"]
    assert len(live) == len(commands)
    for number in range(len(commands)):
        expected = sum(
            m["bytes"] for m in matrices if m["begin"] <= number < m["end"]
        )
        assert live[number] == expected, number
    for command in commands:
        numbers = command["operands"][::2]
        assert all(0 <= number < len(matrices) for number in numbers)
    for matrix in matrices:
        elements = matrix["rows"] * matrix["cols"]
        assert matrix["bytes"] in (elements, 2 * elements, 4 * elements)
    size = side["size"]
    assert size["peak"] == max(live), size
    return "{commands} commands, {matrices} matrices, peak {peak}".format(**size)


def main():
    data = check_page(pathlib.Path(sys.argv[1]).read_text())
    print("made of", pathlib.Path(data["source"]).name, "by", data["version"], "at", data["time"])
    for network in data["networks"]:
        print("network", network["name"])
        for box in network["boxes"]:
            print(" ", box["kind"], box["name"], box["dim"])
        for arrow in network["arrows"]:
            names = [network["boxes"][arrow[end]]["name"] for end in ("from", "to")]
            print("  arrow", *names, f"[{arrow['label']}]")
    for computation in data["computations"]:
        network = data["networks"][computation["network"]]
        print("computation", computation["name"], "of", network["name"])
        for side in ("before", "after"):
            print(f"  {side}: {check_side(computation[side])}")
        after = computation["after"]
        for number, command in enumerate(after["commands"]):
            products = command.get("multiplyAdds")
            print(f"  {number}: {command['text']}, {after['live'][number]} live"
                  + (f", {products} multiply-adds" if products else ""))


main()
