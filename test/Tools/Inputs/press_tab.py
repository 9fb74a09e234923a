# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types into an interactive shell, and prints the command lines that come of it.

    press_tab.py bash COMPLETION LINE...
    press_tab.py zsh FOLDER_OF_COMPLETIONS LINE...

In each LINE, `<TAB>` stands for the key. A line is
not run, but printed as bash has it.
"""
import os
import pty
import sys

MARK = "line is:"
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source {}"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "fpath=({} $fpath); autoload -Uz compinit; compinit -D -u; bindkey -e",
    ),
}


def main():
    shell, completion, *lines = sys.argv[1:]
    command, prepare = SHELLS[shell]
    # \x01 goes to the beginning of the line.
    typed = [prepare.format(completion), "PS1= PS2="]
    typed += [line.replace("<TAB>", "\t") + f"\x01echo '{MARK}' \x05" for line in lines]
    typed.append("exit")
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="dumb", INPUTRC="/dev/null", HISTFILE="")
        os.execvp(command[0], command)
    printed = b""
    for line in typed:
        os.write(terminal, line.encode() + b"\n")
    try:
        while data := os.read(terminal, 4096):
            printed += data
    except OSError:
        pass  # The end of a terminal.
    os.waitpid(process, 0)
    for line in printed.decode().splitlines():
        if line.startswith(MARK):
            print(line.removeprefix(MARK).strip())


main()
