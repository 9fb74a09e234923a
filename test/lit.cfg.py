# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configuration of the regression tests for lit, LLVM's test runner.

import os
import platform
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "nnet3"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".config", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.nnet3_obj_root, "test")

config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
config.substitutions.append(("%mlir_include", config.mlir_include_dirs.split(";")[0]))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%srcroot", config.nnet3_src_root))
config.substitutions.append(("%bindir", config.nnet3_tools_dir))
config.substitutions.append(("%llvmtools", config.llvm_tools_dir))
config.substitutions.append(("%sharedir", os.path.join(config.nnet3_obj_root, "share")))
config.substitutions.append(("%libdir", os.path.join(config.nnet3_obj_root, "lib")))

# A tool that is not built keeps its name; a test that uses it then fails. Some
# passes have the names of tools: what stands in a pipeline is no tool.
llvm_config.add_tool_substitutions(
    ["FileCheck", "not", "count", "split-file", "llvm-tblgen", "mlir-tblgen"],
    [config.llvm_tools_dir],
)
llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, pre=".-^/<(,='", unresolved="ignore")
        for name in (
            *config.nnet3_programs.split(";"),
            "nnet3",
            "nnet3-opt",
            "nnet3-reduce",
            "nnet3-translate",
            "nnet3-compile",
            "nnet3-tblgen",
            "nnet3-recognize",
            "nnet3-run",
            "nnet3-lsp-server",
            "nnet3-rt-demo",
            "nnet3-rt-run",
        )
    ],
    [config.nnet3_tools_dir],
)

# Programs with sanitizers reserve terabytes of address space.
if "ON" in config.nnet3_sanitizers:
    config.available_features.add("sanitizer")

# Words come out where OpenFst was there to build with.
if os.path.exists(os.path.join(config.nnet3_tools_dir, "nnet3-recognize")):
    config.available_features.add("openfst")

# Pages are opened where there is a browser.
if shutil.which("chromium"):
    config.available_features.add("chromium")

# Manual pages and types are checked, and completions tried, where the programs
# are.
for program in ("mandoc", "fish", "zsh", "tsc"):
    if shutil.which(program):
        config.available_features.add(program)

# V8's machine code is read where Node prints it, and has relaxed SIMD.
node = shutil.which("node")
if node and platform.machine() == "x86_64":
    options = subprocess.run([node, "--v8-options"], capture_output=True, text=True).stdout
    if "--experimental-wasm-relaxed-simd" in options and "--print-wasm-code" in options:
        config.available_features.add("v8-code")

# Other programs run the same networks where scripts/benchmark-peers.sh has
# installed them.
peers = os.path.join(config.nnet3_src_root, "build", "peers-venv", "bin", "python3")
if os.path.exists(peers):
    config.available_features.add("peers")
    config.substitutions.append(("%peers", peers))

# Libraries for other machines are linked, and run, where the build has the
# runtime for them, and an emulator is installed.
runtimes = os.path.join(config.nnet3_obj_root, "lib", "nnet3")
for target in os.listdir(runtimes) if os.path.isdir(runtimes) else []:
    config.available_features.add("runtime-" + target)
    emulator = shutil.which("qemu-" + target.split("-")[0].replace("armv7", "arm") + "-static")
    if emulator or (target.startswith("wasm32-") and shutil.which("node")):
        config.available_features.add("run-" + target)

# Graphs are changed, and processes train together, where the build has found
# OpenFst and MPI.
for feature, has_it in (("openfst", config.nnet3_openfst), ("mpi", config.nnet3_mpi)):
    if has_it:
        config.available_features.add(feature)

if platform.machine() == "x86_64":
    config.available_features.add("x86-64")
if shutil.which("qemu-x86_64-static"):
    config.available_features.add("run-x86-64")

# PTX is assembled where NVIDIA's assembler is.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
    llvm_config.with_environment("PATH", os.path.dirname(shutil.which("ptxas")), append_path=True)

if shutil.which("compute-sanitizer"):
    config.available_features.add("compute-sanitizer")
    llvm_config.with_environment("PATH", os.path.dirname(shutil.which("compute-sanitizer")), append_path=True)

# The feature `cuda`, for tests that need a device, is never set here: a
# caller on a machine that has one passes -Dcuda=1 to lit.
if lit_config.params.get("cuda") == "1":
    config.available_features.add("cuda")

# Libraries of CUDA that are not real.
fake_cuda = os.path.join(config.nnet3_obj_root, "runtime", "fake-cuda")
if os.path.exists(os.path.join(fake_cuda, "libcuda.so.1")):
    config.available_features.add("fake-cuda")
    config.substitutions.append(("%fakecuda", fake_cuda))

# nnet3-run --request and nnet3-train on a GPU that is not real.
for name in ("run", "train"):
    config.substitutions.append(
        (f"%{name}fakecuda", os.path.join(config.nnet3_obj_root, "unittests", f"nnet3-{name}-fake-cuda"))
    )

# A clang with ThreadSanitizer; programs of its own, not the build's.
clangxx = shutil.which("clang++-22") or shutil.which("clang++")
if clangxx:
    config.substitutions.append(("%clangxx", clangxx))
    runtime = subprocess.run(
        [clangxx, "-fsanitize=thread", "-###", "-x", "c++", "/dev/null"],
        capture_output=True, text=True,
    ).stderr
    libraries = [w.strip('"') for w in runtime.split() if "tsan" in w]
    if any(os.path.isfile(library) for library in libraries):
        config.available_features.add("tsan")
