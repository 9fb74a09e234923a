#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times everything on a machine with a GPU, where nothing is built.

    scripts/gpu-check.py prepare FOLDER       here: needs the tools, but no GPU
    scripts/gpu-check.py run FOLDER OUT       there: needs the driver and cuBLAS

`prepare` packs into FOLDER/1, FOLDER/2 and so on, none of them above --mib: with
--kit=libraries, the reference's cases, the runner and what benchmarks/gpu needs;
with --kit=tools, nnet3-run, nnet3-train and the libraries that they are linked
with. The one does not need the other. All parts of a kit have to be in FOLDER
for `run`; where they come one at a time, `collect FOLDER` keeps those that are
there in SCRATCH, and `run` finds them.

`run` does as much as there is time for, what matters most first. Of libraries:
the cases, and where some fail, which words of NNET3_CUDA make them pass; streams
and threads; the benchmarks before and after tuning; compute-sanitizer; the cases
in the interpreter. Of tools: both passes and training steps on the reference's
cases, its trajectories of training, the time of training steps, accuracy with
less than f32, compute-sanitizer with both. What crashes or hangs is ended, and
the rest goes on. OUT gets table.md, a summary that is there from the first line
on, and logs.tar.gz, the outputs of all. The exit status is 1 if anything has
failed. Besides this file it needs benchmarks, examples,
test/golden and test/Inputs of the tree, numpy, and for the benchmarks PyTorch.
"""
import argparse
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "gpu"))
from arguments import read_names

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
# Where CUDA and its driver are, behind what the loader knows. Not CUDA's folder
# compat: its driver is for machines with an older one, and fails on others.
LIBRARIES = [
    "/usr/local/cuda/lib64",
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
]
PROGRAMS = ["/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"]
# Libraries of the system; programs of the other machine need its own.
SYSTEM = r"lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so|ld-linux|linux-vdso"
# What finds out why a case fails.
REMEDIES = ["sync", "nographs", "nolt", "nolt,sync"]
# Of outputs of examples/tdnn, as rms errors in rms.
ERRORS = {"f32": 1e-5, "tf32": 5e-3, "bf16": 5e-2, "fp16": 5e-3}
# Tools are machine code.
CODE_FILTERS = [
    {"id": lzma.FILTER_X86},
    {"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": 1 << 26},
]
# As the ctest golden-training.
TRAINED = "^(seed|networks|components)/"
TOOLS = ["nnet3-run", "nnet3-translate", "nnet3"]
# Links to nnet3.
TRAINING_PROGRAMS = [
    "nnet3-copy",
    "nnet3-get-egs",
    "nnet3-init",
    "nnet3-merge-egs",
    "nnet3-subset-egs",
    "nnet3-train",
]
# Trajectories that take little time on a CPU.
SHORT_TRAJECTORIES = "^(quadratic|train-tdnn-xent)"
# How often a table of ten minibatches is trained on to time steps.
TIMED_PASSES = 5
PHASES = [
    "cases",
    "benchmark",
    "sanitizer",
    "interpreter",
    "backward",
    "training",
    "trajectories",
    "speed",
    "precision",
]
# What may matter where something does not work at all.
DESCRIBE_MACHINE = (
    "ldd --version | head -1; ldconfig -p | grep -E 'libcuda|libcublas'; "
    "ls -d /usr/local/cuda* /usr/local/nvidia/*; echo $LD_LIBRARY_PATH; "
    "nvcc --version; nvidia-smi;"
)
# Kernels of every kind, in cases that take little time.
SANITIZED = "^(components|descriptors|random)/"


def tree(path):
    return os.path.join(ROOT, path)


# ---- Here ---------------------------------------------------------------------


def execute(command):
    """Runs a script, which says itself what is wrong."""
    if subprocess.run(command).returncode != 0:
        sys.exit(1)


def add_tools(folder, options):
    """The tools, with all that they are linked with."""
    os.makedirs(f"{folder}/bin")
    os.makedirs(f"{folder}/lib")
    for name in TRAINING_PROGRAMS:
        os.symlink("nnet3", f"{folder}/bin/{name}")
    for name in TOOLS + TRAINING_PROGRAMS:
        with open(f"{folder}/{name}", "w") as script:
            script.write(
                "#!/bin/sh\n"
                'here=$(dirname "$0")\n'
                "LD_LIBRARY_PATH=$here/lib:$LD_LIBRARY_PATH "
                f'exec "$here/bin/{name}" "$@"\n'
            )
        os.chmod(f"{folder}/{name}", 0o755)
    for name in TOOLS:
        tool = f"{options.bin}/{name}"
        shutil.copy(tool, f"{folder}/bin/{name}")
        if options.no_linked:
            continue
        linked = subprocess.run(
            ["ldd", tool], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        for library, path in re.findall(r"(\S+) => (/\S+)", linked):
            if not re.match(SYSTEM, library):
                shutil.copy(path, f"{folder}/lib/{library}")


def add_libraries(folder, options):
    cpu = ["--library=x86-64-v3"]
    libraries = cpu if options.target == "cpu" else cpu + ["--library=cuda"]
    command = [tree("test/golden/pack_cases.py"), f"--bin={options.bin}"]
    command += libraries + [f"--filter={options.filter}"]
    command += ["-o", f"{folder}/cases.n3cs", options.golden]
    command.append(tree("test/Inputs/random"))
    execute(command)
    shutil.copy(f"{options.bin}/nnet3-rt-run", folder)
    if options.sequences:
        execute(
            [
                tree("benchmarks/gpu/prepare.py"),
                f"--bin={options.bin}",
                f"--target={options.target}",
                f"--sequences={options.sequences}",
                "--small",
                f"{folder}/benchmark",
            ]
        )


def make_archive(folder, options):
    """The bytes of a compressed archive of the files that `run` needs."""
    os.makedirs(folder, exist_ok=True)
    if options.kit == "tools":
        add_tools(folder, options)
    else:
        add_libraries(folder, options)
    archive = io.BytesIO()
    filters = CODE_FILTERS if options.kit == "tools" else FILTERS
    with lzma.open(archive, "wb", filters=filters) as stream:
        with tarfile.open(fileobj=stream, mode="w|") as files:
            files.add(folder, arcname=".")
    return archive.getvalue()


def find_parts(folder):
    """The parts that an earlier call has made; there may be nothing else."""
    names = os.listdir(folder) if os.path.exists(folder) else []
    for name in names:
        if not name.isdigit() or not os.path.exists(
            f"{folder}/{name}/manifest.json"
        ):
            sys.exit(f"error: {folder} has something else in it: {name}")
    return names


def prepare(options):
    old = find_parts(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        archive = make_archive(f"{scratch}/content", options)
    for name in old:
        shutil.rmtree(f"{options.folder}/{name}")
    starts = range(0, len(archive), options.bytes)
    parts = [archive[i : i + options.bytes] for i in starts]
    manifest = {
        "kit": options.kit,
        "target": options.target,
        "filter": options.filter,
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


def is_manifest(value):
    parts = value.get("parts") if isinstance(value, dict) else None
    texts = ["kit", "target", "filter", "sequences"]
    return (
        isinstance(parts, list)
        and parts
        and all(isinstance(value.get(name), str) for name in texts)
    )


def collect(options):
    """Copies the parts in the folder to SCRATCH; gives the manifest."""
    os.makedirs(options.scratch, exist_ok=True)
    manifest = None
    for name in sorted(os.listdir(options.folder)):
        folder = os.path.join(options.folder, name)
        if not os.path.exists(f"{folder}/manifest.json"):
            continue
        with open(f"{folder}/manifest.json") as file:
            try:
                manifest = json.load(file)
            except ValueError:
                manifest = None
        if not is_manifest(manifest):
            sys.exit(f"error: {folder}/manifest.json is damaged")
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
    try:
        with lzma.open(io.BytesIO(archive)) as stream:
            with tarfile.open(fileobj=stream, mode="r|") as files:
                files.extractall(content)
    except (lzma.LZMAError, tarfile.TarError, EOFError) as error:
        shutil.rmtree(content, ignore_errors=True)
        sys.exit(f"error: the parts are no archive: {error}")
    return content


class Checker:
    """Runs commands as long as there is time, and notes what came of them."""

    def __init__(self, options):
        self.out, self.end = options.out, time.monotonic() + options.seconds
        self.logs = os.path.join(options.scratch, "logs")
        self.lines, self.has_failed = [], False
        shutil.rmtree(self.logs, ignore_errors=True)
        os.makedirs(self.logs)
        os.makedirs(self.out, exist_ok=True)
        self.environment = dict(os.environ)
        path = self.environment.get("LD_LIBRARY_PATH", "")
        # PyTorch's first: what is tuned is for that version of cuBLASLt.
        self.environment["LD_LIBRARY_PATH"] = ":".join(
            filter(None, find_torch_libraries() + [path] + LIBRARIES)
        )

        self.environment["PATH"] = ":".join(
            filter(None, [self.environment.get("PATH", "")] + PROGRAMS)
        )

    def note(self, line):
        print(line, flush=True)
        self.lines.append(line)
        with open(f"{self.out}/table.md", "w") as file:
            file.write("\n".join(self.lines) + "\n")

    def fail(self, why):
        self.note(f"      FAILED: {why}")
        self.has_failed = True

    def keep(self):
        """Puts the outputs so far into one file."""
        with tarfile.open(f"{self.out}/logs.tar.gz", "w:gz") as file:
            file.add(self.logs, arcname="logs")

    def _execute(self, command, file, seconds, more):
        """The exit status, or why there is none. Ends what the command has
        started with it."""
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**self.environment, **more},
                start_new_session=True,
            )
        except OSError as error:
            return error.strerror
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"stopped after {seconds:.0f} s"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def run(self, title, name, command, seconds, more={}, counts=True):
        """Runs a command with `more` in its environment; its output goes to a
        log called `name`. Gives that, and whether the command has succeeded."""
        left = self.end - time.monotonic()
        if left < 5:
            self.note(f"- {title}: not run, there was no time left")
            return "", False
        begin = time.monotonic()
        path = f"{self.logs}/{name}"
        with open(path, "w") as file:
            result = self._execute(command, file, min(seconds, left), more)
        took = time.monotonic() - begin
        with open(path, errors="replace") as file:
            output = file.read()
        lines = output.strip().splitlines() or ["no output"]
        state = "ok" if result == 0 else f"FAILED ({result})"
        self.note(f"- {title}: {state}, {took:.0f} s, {name}: {lines[-1]}")
        if result != 0:
            for line in lines[-9:-1]:
                self.note(f"      {line[:300]}")
        self.has_failed |= counts and result != 0
        self.keep()
        return output, result == 0


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
    """Gives the names of the cases that have failed."""
    report = f"{checker.logs}/cases-{backend}.json"
    checker.run(
        title,
        f"cases-{backend}.txt",
        [
            f"{content}/nnet3-rt-run",
            f"--backend={backend}",
            "--jobs=8",
            "--timeout=60",
            f"--json={report}",
            f"{content}/cases.n3cs",
        ],
        seconds,
    )
    try:
        with open(report) as file:
            checks = json.load(file)["checks"]
    except (OSError, ValueError):
        return []
    return [check["case"] for check in checks if check["outcome"] == "failed"]


def find_reasons(checker, content, failed):
    """Runs cases that have failed in other ways, some of each kind."""
    kinds = {re.sub(r"[-\d].*", "", case): case for case in reversed(failed)}
    cases = "|".join(map(re.escape, sorted(kinds.values())[:12]))
    for words in REMEDIES:
        checker.run(
            f"the failed cases with NNET3_CUDA={words}",
            f"failed-{words}.txt",
            [
                f"{content}/nnet3-rt-run",
                "--backend=cuda",
                "--jobs=8",
                "--timeout=60",
                "--verbose",
                f"--filter=^({cases})$",
                f"{content}/cases.n3cs",
            ],
            40,
            {"NNET3_CUDA": words},
        )


def sanitize(checker, name, tool, command, seconds):
    checker.run(
        f"compute-sanitizer {tool}, {name}",
        f"{tool}-{name}.txt",
        ["compute-sanitizer", f"--tool={tool}", "--error-exitcode=9"]
        + ["--target-processes=all", "--print-limit=20"]
        + command,
        seconds,
    )


def sanitize_cases(checker, content, seconds):
    for tool in ("memcheck", "racecheck"):
        sanitize(
            checker,
            "cases",
            tool,
            [f"{content}/nnet3-rt-run", "--backend=cuda", "--jobs=1"]
            + [f"--filter={SANITIZED}", "--timeout=120"]
            + [f"{content}/cases.n3cs"],
            seconds,
        )


def benchmark(checker, content, manifest, name, peers, seconds):
    output, _ = checker.run(
        f"benchmark, {name}",
        f"benchmark-{name.replace(' ', '-')}.txt",
        [
            sys.executable,
            tree("benchmarks/gpu/compare.py"),
            f"--device={manifest['target']}",
            f"--sequences={manifest['sequences']}",
            f"--peers={peers}",
            f"{content}/benchmark",
        ],
        seconds,
    )
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
            60,
        )


def run_libraries(checker, content, manifest, phases):
    is_for_gpu = manifest["target"] == "cuda"
    has_benchmark = "benchmark" in phases and manifest["sequences"]
    if "cases" in phases:
        backend = "cuda" if is_for_gpu else "x86-64-v3"
        failed = check_cases(
            checker, content, backend, "cases, libraries", 150
        )
        if failed and is_for_gpu:
            find_reasons(checker, content, failed)
    if has_benchmark:
        if is_for_gpu:
            checker.run(
                "streams, threads and recordings",
                "streams.txt",
                [
                    sys.executable,
                    tree("benchmarks/gpu/streams.py"),
                    f"{content}/benchmark",
                ],
                60,
            )
        benchmark(checker, content, manifest, "untuned", "eager,graph", 100)
        if is_for_gpu:
            tune(checker, content)
            peers = "eager,graph,compile"
            benchmark(checker, content, manifest, "tuned", peers, 200)
    if "sanitizer" in phases and is_for_gpu:
        sanitize_cases(checker, content, 150)
    if "interpreter" in phases:
        check_cases(checker, content, "interpreter", "cases, interpreter", 60)


def follow_trajectories(checker, content, backend):
    filters = [] if backend == "cuda" else [f"--filter={SHORT_TRAJECTORIES}"]
    for examples in ("training", "chain"):
        checker.run(
            f"trajectories of {examples}",
            f"trajectories-{examples}.txt",
            [sys.executable, tree("test/golden/run_trajectories.py")]
            + [f"--nnet3-train={content}/nnet3-train"]
            + [f"--nnet3-copy={content}/nnet3-copy"]
            + [f"--backend={backend}", "--jobs=8", *filters]
            + [tree(f"test/Inputs/{examples}")],
            150,
            {"OPENBLAS_NUM_THREADS": "1"},
        )


def make_examples(checker, content, folder):
    """A model, a minibatch, and ten minibatches several times. Gives whether
    that has succeeded."""
    commands = [
        [f"{content}/nnet3-init", tree("benchmarks/networks/tdnnf.config")]
        + [f"{folder}/model.raw"],
        [sys.executable, tree("benchmarks/random-examples.py")]
        + ["--utterances=640", folder],
        [f"{content}/nnet3-get-egs", "--num-pdfs=3000", "--num-frames=150"]
        + ["--left-context=41", "--right-context=41"]
        + ["--frame-subsampling-factor=3", "--online-ivector-period=10"]
        + [f"--online-ivectors=ark:{folder}/ivectors.ark"]
        + [f"ark:{folder}/features.ark", f"ark:{folder}/classes.txt"]
        + [f"ark:{folder}/egs.ark"],
        [f"{content}/nnet3-merge-egs", "--minibatch-size=64"]
        + [f"ark:{folder}/egs.ark", f"ark:{folder}/ten.ark"],
        [f"{content}/nnet3-subset-egs", "--n=1", "--randomize-order=false"]
        + [f"ark:{folder}/ten.ark", f"ark:{folder}/one.ark"],
    ]
    for number, command in enumerate(commands):
        if not checker.run("examples", f"examples-{number}.txt", command, 60)[1]:
            return False
    with open(f"{folder}/ten.ark", "rb") as ten:
        minibatches = ten.read()
    with open(f"{folder}/all.ark", "wb") as every:
        every.write(minibatches * TIMED_PASSES)
    return True


def time_training(checker, content):
    """Notes what a step takes beyond the first one, with which the network is
    compiled."""
    with tempfile.TemporaryDirectory() as folder:
        if not make_examples(checker, content, folder):
            return
        seconds = []
        for name in ("one", "all"):
            begin = time.monotonic()
            _, succeeds = checker.run(
                f"training on {name}.ark",
                f"speed-{name}.txt",
                [f"{content}/nnet3-train", "--backend=cuda"]
                + [f"{folder}/model.raw", f"ark:{folder}/{name}.ark"]
                + [f"{folder}/trained.raw"],
                60,
            )
            if not succeeds:
                return
            seconds.append(time.monotonic() - begin)
    step = (seconds[1] - seconds[0]) / (10 * TIMED_PASSES - 1)
    checker.note(
        f"      tdnnf, 64 examples of 150 frames: {1e3 * step:.1f} ms a step, "
        f"{64 * 150 / step:.3g} frames/s"
    )


def run_tools(checker, content, manifest, phases):
    tool = f"{content}/nnet3-run"
    golden = tree("test/Inputs/golden")
    backend = "cuda" if manifest["target"] == "cuda" else "interpreter"
    cases = "--filter=" + (manifest["filter"] or "^(?!errors/|cli/)")
    compared = [f"--nnet3-run={tool}"]
    if "backward" in phases:
        checker.run(
            "both passes",
            "backward.txt",
            [sys.executable, tree("test/golden/run_golden.py")]
            + compared
            + [f"--nnet3-translate={content}/nnet3-translate"]
            + [f"--run-option=--backend={backend}"]
            + [cases, golden],
            200,
        )
    if "training" in phases and backend == "cuda":
        for steps in (1, 3):
            checker.run(
                f"training, {steps} steps",
                f"training-{steps}.txt",
                [sys.executable, tree("test/golden/run_training.py")]
                + compared
                + [f"--device-run={tool}", f"--steps={steps}"]
                + [f"--filter={TRAINED}"]
                + ["--jobs=8", golden],
                120,
                {"OPENBLAS_NUM_THREADS": "1"},
            )
    if "trajectories" in phases:
        follow_trajectories(checker, content, backend)
    if "speed" in phases and backend == "cuda":
        time_training(checker, content)
    tdnn = tree("examples/tdnn")
    if "precision" in phases and backend == "cuda":
        for precision, limit in ERRORS.items():
            output, _ = checker.run(
                f"accuracy of {precision}",
                f"accuracy-{precision}.txt",
                [tool, "--print-args=false", f"--ivectors=ark:{tdnn}/ivectors.ark"]
                + [f"--backend={backend}", f"--precision={precision}"]
                + ["--compare", f"{tdnn}/tdnn.raw"]
                + [f"ark:{tdnn}/features.ark", "ark:/dev/null"],
                30,
            )
            error = re.search(r"rms error / rms (\S+?),", output)
            if not error or not float(error[1]) <= limit:
                checker.fail(f"{precision} is not as accurate as {limit:g}")
    if "sanitizer" in phases and backend == "cuda":
        step = [tool, "--print-args=false", "--backend=cuda"]
        step += [f"--request={tdnn}/train.request", "--training-steps=2"]
        step += [f"--output-deriv=output={tdnn}/train.targets.txt"]
        step += [f"--input=input={tdnn}/train.input.txt"]
        step += [f"--input=ivector={tdnn}/train.ivector.txt"]
        step += [f"--trained-model={checker.logs}/trained.raw"]
        for name in ("memcheck", "racecheck"):
            sanitize(checker, "training", name, step + [f"{tdnn}/tdnn.raw"], 90)


def run(options):
    manifest = collect(options)
    content = unpack(options, manifest)
    checker = Checker(options)
    if manifest["target"] == "cuda":
        checker.run(
            "the device",
            "device.txt",
            ["sh", "-c", DESCRIBE_MACHINE + f" {sys.executable} -m pip list"],
            40,
            counts=False,
        )
    if manifest["kit"] == "tools":
        run_tools(checker, content, manifest, options.phases)
    else:
        run_libraries(checker, content, manifest, options.phases)
    checker.keep()
    shutil.rmtree(content)
    return 1 if checker.has_failed else 0


def read_size(text):
    """Bytes from MiB."""
    try:
        size = int(float(text) * (1 << 20))
    except (ValueError, OverflowError):
        size = 0
    if size < 1:
        raise argparse.ArgumentTypeError(
            f"expects a positive number, but got '{text}'"
        )
    return size


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
    here.add_argument(
        "--kit", default="libraries", choices=["libraries", "tools"]
    )
    here.add_argument(
        "--no-linked",
        action="store_true",
        help="tools without the libraries that they are linked with",
    )
    here.add_argument("--target", default="cuda", choices=["cuda", "cpu"])
    here.add_argument("--sequences", default="1,64,512", help="empty: none")
    here.add_argument(
        "--mib", dest="bytes", type=read_size, default="36", help="of a part"
    )
    here.add_argument("folder")
    there = commands.add_parser("run")
    there.add_argument("--seconds", type=float, default=570)
    there.add_argument(
        "--phases",
        type=read_names(PHASES),
        default=",".join(PHASES),
        help="some of the default: %(default)s",
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
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
