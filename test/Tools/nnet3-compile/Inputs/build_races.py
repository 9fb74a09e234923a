# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds races.cpp with the code of a request, both with ThreadSanitizer.

Arguments: the program to write, clang++, the source folder of nnet3, the name of
the request, then the command line of nnet3-compile without --emit. The CPU is one
with vectors of 16 bytes: ThreadSanitizer does not look at longer ones."""
import pathlib
import re
import subprocess
import sys

program, compiler, root, request, *command = sys.argv[1:]
command.append("--target-cpu=x86-64-v2")


def emit(form):
    return subprocess.run(
        [*command, f"--emit={form}"], check=True, capture_output=True, text=True
    ).stdout


kernels = emit("kernels")
assert "row_tables" not in kernels
sizes = {
    "ARENA": re.search(r"kernel.entry @\S+ arena (\d+)", kernels),
    "WEIGHTS": re.search(r"kernel.resources weights (\d+)", kernels),
}
code = re.sub(
    r"^(attributes #\d+ = {)", r"\1 sanitize_thread", emit("llvm"), flags=re.M
)
pathlib.Path(program + ".ll").write_text(code)
build = [compiler, "-O1", "-g1", "-fsanitize=thread", "-pthread", "-std=c++17"]
subprocess.run([*build, "-c", "-Wno-override-module", "-o", program + ".o",
                program + ".ll"], check=True)
here = pathlib.Path(__file__).parent
for suffix, flags in ("", []), ("-overlap", ["-DOVERLAP"]):
    subprocess.run(
        [*build, *flags, f"-DREQUEST={request}_computation",
         *(f"-D{name}={match.group(1)}" for name, match in sizes.items()),
         f"-I{root}/runtime", here / "races.cpp",
         f"{root}/runtime/core/ThreadPool.cpp", program + ".o",
         "-o", program + suffix],
        check=True,
    )
