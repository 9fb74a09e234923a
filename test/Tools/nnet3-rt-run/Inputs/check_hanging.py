# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets gpu-check.py run commands that do not do what they should."""
import argparse
import importlib.util
import os
import sys
import time

spec = importlib.util.spec_from_file_location("check", sys.argv[1])
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)
folder = sys.argv[2]
os.makedirs(folder, exist_ok=True)
checker = check.Checker(
    argparse.Namespace(out=folder, scratch=folder, seconds=60)
)
pid = f"{folder}/pid"
shell = f"sleep 600 & echo $! > {pid}; echo started; wait"
checker.run("hangs", "log-1", ["sh", "-c", shell], 1)
checker.run("crashes", "log-2", ["sh", "-c", "kill -SEGV $$"], 9)
checker.run("is not there", "log-3", [f"{folder}/nothing"], 9)
checker.run("works", "log-4", ["echo", "fine"], 9)
time.sleep(0.2)
with open(pid) as file:
    path = f"/proc/{int(file.read())}/stat"
# A process that has ended may be there until someone asks for its status.
if os.path.exists(path):
    with open(path) as file:
        print(file.read().split()[2].replace("Z", "ended"))
else:
    print("ended")
