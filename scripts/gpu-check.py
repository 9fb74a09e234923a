#!/usr/bin/env python3
"""Checks and times everything on a machine with a GPU, where nothing is built.

    scripts/gpu-check.py prepare FOLDER       here: needs the tools, but no GPU
    scripts/gpu-check.py run FOLDER OUT       there: needs the driver and cuBLAS

`prepare` packs the reference's cases, the runner and what benchmarks/gpu needs
into FOLDER/1, FOLDER/2 and so on, none of them above --mib. All of them have to
be in FOLDER for `run`; where they come one at a time, `collect FOLDER` keeps
those that are there in SCRATCH, and `run` finds them.

`run` does as much as there is time for, what matters most first: the cases with
libraries for GPUs, the benchmarks before and after tuning, compute-sanitizer
with memcheck and racecheck, and the cases in the interpreter. OUT gets the
outputs of all, and table.md, a summary. The exit status is 1 if anything has
failed. Besides this file it needs benchmarks/gpu and examples/python of the
tree; the benchmarks need numpy and PyTorch.
"""
import argparse
import hashlib
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SCRATCH = "/tmp/nnet3-gpu-check"
NETWORKS = ["tdnnf", "lstmp"]
# The model and the weights of a library are mostly the same bytes.
FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 1,
        "dict_size": 1 << 28,
        "lp": 2,
        "pb": 2,
        "lc": 1,
    }
]
# Where CUDA is, beside what the loader knows.
LIBRARIES = ["/usr/local/cuda/lib64", "/usr/local/cuda/compat"]
# Kernels of every kind, in cases that take little time.
SANITIZED = "^(components|descriptors|random)/"


def tree(path):
    return os.path.join(ROOT, path)


# ---- Here ---------------------------------------------------------------------


def make_archive(folder, options):
    """The bytes of a compressed archive of the files that `run` needs."""
    os.makedirs(folder, exist_ok=True)
    cpu = ["--library=x86-64-v3"]
    libraries = cpu if options.target == "cpu" else cpu + ["--library=cuda"]
    command = [tree("test/golden/pack_cases.py"), f"--bin={options.bin}"]
    command += libraries + [f"--filter={options.filter}"]
    command += ["-o", f"{folder}/cases.n3cs", options.golden]
    command.append(tree("test/Inputs/random"))
    subprocess.run(command, check=True)
    shutil.copy(f"{options.bin}/nnet3-rt-run", folder)
    if options.sequences:
        subprocess.run(
            [
                tree("benchmarks/gpu/prepare.py"),
                f"--bin={options.bin}",
                f"--target={options.target}",
                f"--sequences={options.sequences}",
                "--small",
                f"{folder}/benchmark",
            ],
            check=True,
        )
    archive = io.BytesIO()
    with lzma.open(archive, "wb", filters=FILTERS) as stream:
        with tarfile.open(fileobj=stream, mode="w|") as files:
            files.add(folder, arcname=".")
    return archive.getvalue()


def prepare(options):
    shutil.rmtree(options.folder, ignore_errors=True)
    content = f"{options.folder}/content"
    archive = make_archive(content, options)
    shutil.rmtree(content)
    size = int(options.mib * (1 << 20))
    parts = [archive[i : i + size] for i in range(0, len(archive), size)]
    manifest = {
        "target": options.target,
        "sequences": options.sequences,
        "parts": [hashlib.sha256(part).hexdigest() for part in parts],
    }
    for number, part in enumerate(parts, 1):
        os.makedirs(f"{options.folder}/{number}")
        with open(f"{options.folder}/{number}/part", "wb") as file:
            file.write(part)
        with open(f"{options.folder}/{number}/manifest.json", "w") as file:
            json.dump(manifest, file)
    print(f"{len(parts)} parts, {len(archive)} bytes")


# ---- There --------------------------------------------------------------------


def collect(options):
    """Copies the parts in the folder to SCRATCH; gives the manifest."""
    os.makedirs(options.scratch, exist_ok=True)
    manifest = None
    for name in sorted(os.listdir(options.folder)):
        folder = os.path.join(options.folder, name)
        if not os.path.exists(f"{folder}/manifest.json"):
            continue
        with open(f"{folder}/manifest.json") as file:
            manifest = json.load(file)
        shutil.copy(f"{folder}/part", f"{options.scratch}/part{name}")
    if not manifest:
        sys.exit(f"error: {options.folder} has no parts")
    return manifest


def unpack(options, manifest):
    archive = b""
    for number, expected in enumerate(manifest["parts"], 1):
        path = f"{options.scratch}/part{number}"
        if not os.path.exists(path):
            sys.exit(f"error: part {number} is missing")
        with open(path, "rb") as file:
            part = file.read()
        if hashlib.sha256(part).hexdigest() != expected:
            sys.exit(f"error: part {number} is damaged, or of another archive")
        archive += part
    content = f"{options.scratch}/content"
    shutil.rmtree(content, ignore_errors=True)
    with lzma.open(io.BytesIO(archive)) as stream:
        with tarfile.open(fileobj=stream, mode="r|") as files:
            files.extractall(content)
    return content


class Checker:
    """Runs commands as long as there is time, and notes what came of them."""

    def __init__(self, out, seconds):
        self.out, self.end = out, time.monotonic() + seconds
        self.lines, self.has_failed = [], False
        os.makedirs(out, exist_ok=True)
        self.environment = dict(os.environ)
        path = self.environment.get("LD_LIBRARY_PATH", "")
        self.environment["LD_LIBRARY_PATH"] = ":".join(
            filter(None, [path] + LIBRARIES + find_torch_libraries())
        )

    def note(self, line):
        print(line, flush=True)
        self.lines.append(line)
        with open(f"{self.out}/table.md", "w") as file:
            file.write("\n".join(self.lines) + "\n")

    def run(self, title, name, command, seconds):
        """Runs a command; its output goes to a file in OUT called `name`.
        Gives that, or None if there was no time or it failed."""
        left = self.end - time.monotonic()
        if left < 5:
            self.note(f"- {title}: not run, there was no time left")
            return None
        begin = time.monotonic()
        path = f"{self.out}/{name}"
        with open(path, "w") as file:
            try:
                result = subprocess.run(
                    command,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    env=self.environment,
                    timeout=min(seconds, left),
                ).returncode
            except subprocess.TimeoutExpired:
                result = "stopped"
            except OSError as error:
                result = error.strerror
        took = time.monotonic() - begin
        with open(path) as file:
            output = file.read()
        last = output.strip().splitlines()[-1:] or ["no output"]
        state = "ok" if result == 0 else f"FAILED ({result})"
        self.note(f"- {title}: {state}, {took:.0f} s, {name}: {last[0]}")
        self.has_failed |= result != 0
        return output if result == 0 else None


def find_torch_libraries():
    """cuBLAS that came with PyTorch."""
    found = []
    for folder in sys.path:
        for package in ("cublas", "cu13"):
            path = os.path.join(folder, "nvidia", package, "lib")
            if os.path.isdir(path):
                found.append(path)
    return found


def check_cases(checker, content, backend, title, seconds):
    checker.run(
        title,
        f"cases-{backend}.txt",
        [
            f"{content}/nnet3-rt-run",
            f"--backend={backend}",
            "--jobs=4",
            "--timeout=60",
            f"--json={checker.out}/cases-{backend}.json",
            f"{content}/cases.n3cs",
        ],
        seconds,
    )


def sanitize(checker, content, tool, seconds):
    command = ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=9"]
    command += ["--target-processes=all", f"{content}/nnet3-rt-run"]
    command += ["--backend=cuda", "--jobs=1", f"--filter={SANITIZED}"]
    command += ["--timeout=120", f"{content}/cases.n3cs"]
    checker.run(f"compute-sanitizer {tool}", f"{tool}.txt", command, seconds)


def benchmark(checker, content, manifest, name, seconds):
    device = manifest["target"]
    output = checker.run(
        f"benchmark, {name}",
        f"benchmark-{name}.txt",
        [
            sys.executable,
            tree("benchmarks/gpu/compare.py"),
            f"--device={device}",
            f"--sequences={manifest['sequences']}",
            f"{content}/benchmark",
        ],
        seconds,
    )
    if output:
        checker.note(f"\nBenchmark, {name}:\n\n{output}")


def tune(checker, content):
    for name in NETWORKS:
        files = f"{content}/benchmark"
        checker.run(
            f"tuning {name}",
            f"tune-{name}.txt",
            [
                f"{content}/nnet3-rt-run",
                "--tune",
                f"--weights={files}/{name}.weights",
                f"{files}/lib{name}.so",
            ],
            90,
        )


def run(options):
    manifest = collect(options)
    content = unpack(options, manifest)
    checker = Checker(options.out, options.seconds)
    is_for_gpu = manifest["target"] == "cuda"
    backend = "cuda" if is_for_gpu else "x86-64-v3"
    phases = options.phases.split(",")
    if is_for_gpu:
        checker.run("the device", "device.txt", ["nvidia-smi"], 20)
    if "cases" in phases:
        check_cases(checker, content, backend, "cases, libraries", 150)
    if "benchmark" in phases and manifest["sequences"]:
        benchmark(checker, content, manifest, "before tuning", 180)
        if is_for_gpu:
            tune(checker, content)
            benchmark(checker, content, manifest, "tuned", 180)
    if "sanitizer" in phases and is_for_gpu:
        sanitize(checker, content, "memcheck", 200)
        sanitize(checker, content, "racecheck", 200)
    if "interpreter" in phases:
        check_cases(checker, content, "interpreter", "cases, interpreter", 60)
    shutil.rmtree(content)
    return 1 if checker.has_failed else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--scratch", default=SCRATCH)
    commands = parser.add_subparsers(dest="command", required=True)
    here = commands.add_parser("prepare")
    here.add_argument("--bin", default="build/bin")
    here.add_argument("--golden", default=tree("test/Inputs/golden"))
    here.add_argument("--filter", default="", help="of the cases")
    here.add_argument("--target", default="cuda", choices=["cuda", "cpu"])
    here.add_argument("--sequences", default="1,64,512", help="empty: none")
    here.add_argument("--mib", type=float, default=56, help="of a part")
    here.add_argument("folder")
    there = commands.add_parser("run")
    there.add_argument("--seconds", type=float, default=570)
    there.add_argument(
        "--phases", default="cases,benchmark,sanitizer,interpreter"
    )
    there.add_argument("folder")
    there.add_argument("out")
    commands.add_parser("collect").add_argument("folder")
    options = parser.parse_args()
    if options.command == "prepare":
        return prepare(options)
    if options.command == "run":
        return run(options)
    manifest = collect(options)
    print(f"of {len(manifest['parts'])} parts")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {error}")
