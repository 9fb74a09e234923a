# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the test of training by several processes needs.

    mpirun.test.py compare COPY MODEL...     prints "same" if the numbers are close
    mpirun.test.py logs LOG OTHER           the same for objectives in logs
    mpirun.test.py split COPY ARCHIVE SCP... deals out the records of an archive
    mpirun.test.py kill CHECKPOINT COMMAND  kills a process of mpirun when there is
                                            a checkpoint, and prints what it says

COPY is nnet3-copy.
"""
import glob
import os
import re
import signal
import subprocess
import sys
import time

NUMBER = re.compile(r"^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.IGNORECASE)


def read_words(copy, model):
    return subprocess.run([copy, "--print-args=false", "--binary=false", model, "-"],
                          check=True, capture_output=True, text=True).stdout.split()


def compare_words(words, others):
    assert len(words) == len(others), (len(words), len(others))
    for word, other in zip(words, others):
        if NUMBER.match(word) and NUMBER.match(other):
            a, b = float(word), float(other)
            assert abs(a - b) <= 2e-4 + 2e-3 * abs(a), (a, b)
        else:
            assert word == other, (word, other)


def compare(copy, model, *others):
    words = read_words(copy, model)
    for other in others:
        compare_words(words, read_words(copy, other))
    print("same")


def logs(log, other):
    def find(path):
        with open(path) as file:
            return re.findall(r"Overall average objective function for (\S+) is (\S+) .*over (\S+)",
                              file.read())
    compare_words([word for line in find(log) for word in line],
                  [word for line in find(other) for word in line])
    assert find(log)
    print("same")


def split(copy, archive, *tables):
    subprocess.run([copy, "--print-args=false", "egs", f"ark:{archive}",
                    "ark,scp:all.ark,all.scp"], check=True)
    with open("all.scp") as file:
        lines = file.readlines()
    for number, table in enumerate(tables):
        with open(table, "w") as file:
            file.writelines(lines[number::len(tables)])


def get_children(pid):
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            yield int(path.split("/")[2])


def kill(checkpoint, *command):
    """Again if the command, whose last word is its model, ended before."""
    for _ in range(5):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(checkpoint) and process.poll() is None:
            time.sleep(0.002)
        ranks = sorted(get_children(process.pid))
        if len(ranks) > 1:
            os.kill(ranks[1], signal.SIGKILL)
        printed = process.stderr.read()
        if process.wait() != 0:
            print(printed)
            return
        os.remove(command[-1])
    sys.exit("all processes end before they can be killed")


{"compare": compare, "logs": logs, "split": split, "kill": kill}[sys.argv[1]](*sys.argv[2:])
