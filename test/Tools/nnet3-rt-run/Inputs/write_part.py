# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the only part of a kit, which is no archive: KIND FOLDER."""
import hashlib
import json
import lzma
import sys

kind, folder = sys.argv[1:]
compressed = lzma.compress(b"no archive" * 99)
part = {"text": b"no archive", "compressed": compressed, "cut": compressed[:-20]}[kind]
with open(f"{folder}/part", "wb") as file:
    file.write(part)
manifest = {"kit": "tools", "target": "cpu", "filter": "", "sequences": ""}
manifest["parts"] = [hashlib.sha256(part).hexdigest()]
with open(f"{folder}/manifest.json", "w") as file:
    json.dump(manifest, file)
