#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes packages of a build and uses them in a fresh root.

    run_fresh_root.py --build=FOLDER --version=VERSION SOURCE_ROOT WORK_FOLDER

mmdebstrap makes the root: the smallest Debian with apt, from the sources of apt
that this machine takes the dependencies from, and cmake and make. apt installs
the .deb there, which must name everything else that it needs, and UsePackage.cmake
uses it. Then the .deb goes, and the .tar.gz is used from a folder of its own. The
outputs are compared with the reference's here, where numpy is.

What apt downloads stays in WORK_FOLDER-archives for the next run.

Exits with status 77 where no root can be made: without mmdebstrap, without the
sources of apt, or without the rights.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

# In the sources of apt, whatever the .deb depends on must be found.
PACKAGES = ("libc6", "g++", "cmake", "libllvm22", "libmlir-22", "libopenblas-dev")
KEYS = ("/usr/share/keyrings", "/etc/apt/keyrings", "/etc/apt/trusted.gpg.d")
# What the root gets of the source tree.
FILES = ("examples", "runtime/demo/nnet3_rt_demo.c", "test/Package")
SKIP = 77
# The root takes 1.2 GB.
ROOT_BYTES = 2 << 30
MEMORY = "/dev/shm"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def find_sources():
    """Lines for sources.list: where this machine finds the packages."""
    policy = subprocess.run(
        ["apt-cache", "policy", *PACKAGES], capture_output=True, text=True
    ).stdout
    found = re.findall(r"^ +\d+ (\S+://\S+) (\S+)/(\S+) \S+ Packages$", policy, re.M)
    return [
        f"deb {url} {suite} {component}"
        for url, suite, component in dict.fromkeys(found)
    ]


def make_packages(build, folder):
    """A .deb and a .tar.gz in `folder`."""
    result = subprocess.run(
        ["cpack", "--config", build / "CPackConfig.cmake", "-B", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode:
        sys.exit(result.stdout)
    shutil.rmtree(folder / "_CPack_Packages")
    (deb,), (tgz,) = folder.glob("*.deb"), folder.glob("*.tar.gz")
    return deb, tgz


def get_hooks(deb, tgz, version, work):
    """Commands that mmdebstrap runs once the root is there."""

    def inside(command):
        # Quiet unless it fails.
        log = work / "command.log"
        return (
            f'chroot "$1" {command} >{log} 2>&1 || {{ cat {log}; exit 1; }}'
        )

    def use(prefix, name):
        return inside(
            f"cmake -DPREFIX={prefix} -DSOURCE_DIR=/trial/tree -DVERSION={version}"
            f" -DWORK_DIR=/trial/{name} -P /trial/tree/test/Package/UsePackage.cmake"
        )

    # The name of the folder in the .tar.gz is that of the file.
    prefix = "/opt/" + tgz.name.removesuffix(".tar.gz")
    return [
        f"touch {work}/root-is-there",
        'mkdir "$1/trial"',
        f"copy-in {deb} {tgz} /trial",
        'mkdir "$1/trial/tree"',
        f"tar-in {work}/tree.tar /trial/tree",
        inside(f"apt-get install -y --no-install-recommends /trial/{deb.name}"),
        use("/usr", "deb"),
        inside(f"dpkg --remove {deb.name.split('_')[0]}"),
        inside(f"tar -xzf /trial/{tgz.name} -C /opt"),
        use(prefix, "tgz"),
        f'cp "$1/trial/deb/model.ark" {work}/deb-model.ark',
        f'cp "$1/trial/deb/library.ark" {work}/deb-library.ark',
        f'cp "$1/trial/tgz/model.ark" {work}/tgz-model.ark',
        f'cp "$1/trial/tgz/library.ark" {work}/tgz-library.ark',
    ]


def get_environment():
    """The root in memory, where that is large enough: a disk takes minutes."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if not os.path.isdir(MEMORY) or free < ROOT_BYTES:
        return None
    state = os.statvfs(MEMORY)
    is_limited = state.f_flag & (os.ST_NODEV | os.ST_NOEXEC)
    if is_limited or state.f_bavail * state.f_frsize < ROOT_BYTES:
        return None
    return {**os.environ, "TMPDIR": MEMORY}


def run_in_root(sources, hooks, work):
    (work / "sources.list").write_text("\n".join(sources) + "\n")
    command = ["mmdebstrap", "--variant=apt", "--quiet", "--format=null"]
    command += ["--include=cmake,make"]
    # apt keeps what it downloads from run to run.
    kept = work.with_name(work.name + "-archives")
    kept.mkdir(exist_ok=True)
    archives = "/var/cache/apt/archives"
    command += ["--skip=essential/unlink"]
    command += [f'--setup-hook=mkdir -p "$1{archives}"']
    command += [f"--setup-hook=sync-in {kept} {archives}"]
    command += [f"--keyring={key}" for key in KEYS if pathlib.Path(key).is_dir()]
    command += [f"--customize-hook={hook}" for hook in hooks]
    command += [f"--customize-hook=sync-out {archives} {kept}"]
    # The suite is in the sources.
    command += ["", "/dev/null", work / "sources.list"]
    result = subprocess.run(
        command,
        env=get_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode == 0:
        return
    print(result.stdout)
    if not (work / "root-is-there").exists():
        skip("mmdebstrap makes no root")
    sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    arguments = parser.parse_args()
    if not shutil.which("mmdebstrap"):
        skip("needs mmdebstrap")
    sources = find_sources()
    if not sources:
        skip("apt has no sources")

    work = arguments.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    deb, tgz = make_packages(arguments.build.resolve(), work / "packages")
    with tarfile.open(work / "tree.tar", "w") as tree:
        for name in FILES:
            tree.add(arguments.source / name, name)
    run_in_root(sources, get_hooks(deb, tgz, arguments.version, work), work)

    expected = arguments.source / "examples/tdnn/expected.ark"
    compare = arguments.source / "scripts/compare-archives.py"
    archives = sorted(work.glob("*.ark"))
    for archive in archives:
        subprocess.run([sys.executable, compare, archive, expected], check=True)
    print(f"{len(archives)} outputs agree")


main()
