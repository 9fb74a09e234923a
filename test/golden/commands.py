# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tools that the golden tests compare."""
import concurrent.futures
import subprocess

from compare import Failed


def execute(arguments, directory):
    """Runs a command, which must succeed; gives what it prints."""
    result = subprocess.run(
        arguments,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    output = result.stdout.decode(errors="replace").strip()
    if result.returncode != 0:
        raise Failed(f"exit status {result.returncode}: {output}")
    return output


def run_cases(check, cases, jobs):
    """Calls `check` with each case, a name and arguments, several at a time.
    Prints what failed and 'N passed, M failed'; gives the exit status."""

    def find_error(case):
        name, *arguments = case
        try:
            check(*arguments)
        except Failed as error:
            return f"{name}: {error}"
        return None

    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for error in pool.map(find_error, cases):
            passed += not error
            failed += bool(error)
            if error:
                print(error, flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
