# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the manual page of a tool, in the macros of man(7)."""
import pathlib
import re
import textwrap

# What `whatis` prints of the tools that are no programs of the binary nnet3.
SUMMARIES = {
    "nnet3-compile": "compile networks to libraries ahead of time",
    "nnet3-lsp-server": "language server for MLIR of nnet3",
    "nnet3-opt": "run passes on MLIR of nnet3",
    "nnet3-recognize": "write the words of sound",
    "nnet3-reduce": "shrink a module that shows a fault",
    "nnet3-rt-run": "run programs and libraries without the compiler",
    "nnet3-run": "run networks over features",
    "nnet3-translate": "translate Kaldi's models to MLIR and back",
}
_PROGRAM_TABLE = (
    pathlib.Path(__file__).resolve().parents[2] / "tools" / "nnet3" / "Programs.def"
)
SUMMARIES |= re.findall(
    r'^NNET3_PROGRAM\(([^,]+), \w+, "(.*)"\)', _PROGRAM_TABLE.read_text(), re.MULTILINE
)
# The names that Kaldi has for some programs, too: they are in no list of others.
ALIASES = dict(
    re.findall(
        r"^NNET3_ALIAS\(([^,]+), ([^)]+)\)", _PROGRAM_TABLE.read_text(), re.MULTILINE
    )
)
_EXIT_STATUS = (
    "0 if everything asked for was done, 1 after an error, which is printed to "
    "the standard error."
)


def _escape(text):
    """Text as roff reads it."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def _wrap(text):
    """A paragraph in lines, of which there is at least one."""
    lines = textwrap.wrap(
        text, width=72, break_long_words=False, break_on_hyphens=False
    )
    return [_escape(line) for line in lines] or ["\\&"]


def _bold(text):
    return f"\\fB{_escape(text)}\\fR"


def _italic(text):
    return f"\\fI{_escape(text)}\\fR"


def _head(option):
    """The option as it is written."""
    head = _bold(option.name)
    if not option.value:
        return head
    value = _escape(option.separator) + _italic(option.value)
    return head + (f"[{value}]" if option.is_value_optional else value)


def _paragraph(head, text, values):
    lines = [".TP", head, *_wrap(text)]
    if any(help for _, help in values):
        lines.append(".RS")
        for name, help in values:
            lines += [".TP", _bold(name), *_wrap(help)]
        lines.append(".RE")
    return lines


def _group(group):
    lines = [f'.SS "{_escape(group.title)}"']
    for option in group.options:
        lines += _paragraph(_head(option), option.help, option.values)
        if option.parts:
            lines.append(".RS")
            for part in option.parts:
                lines += _paragraph(_head(part), part.help, part.values)
            lines.append(".RE")
    return lines


def _text(text):
    """Lines as they are, in paragraphs."""
    lines = []
    for paragraph in text.split("\n\n"):
        lines += [".PP", ".nf"]
        lines += [_escape(line) for line in paragraph.splitlines()]
        lines.append(".fi")
    # Behind .SH a paragraph has begun.
    return lines[1:]


def make_man_page(tool, help, version, date):
    others = [name for name in SUMMARIES if name != tool]
    lines = [
        f'.TH {tool.upper().replace("-", chr(92) + "-")} 1 "{date}" "nnet3\\-mlir {version}"'
        ' "User Commands"',
        # No hyphens, and no wide spaces.
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{_escape(tool)} \\- {_escape(SUMMARIES[ALIASES.get(tool, tool)])}",
        ".SH SYNOPSIS",
    ]
    for number, synopsis in enumerate(help.synopses):
        name, _, rest = synopsis.partition(" ")
        lines += [".br"] if number else []
        lines.append(f"{_bold(name)} {_escape(rest)}")
    lines += [".SH DESCRIPTION", *_text(help.text), ".SH OPTIONS"]
    for group in help.groups:
        lines += _group(group) if group.options else []
    lines += [".SH EXIT STATUS", *_wrap(_EXIT_STATUS), ".SH SEE ALSO"]
    references = [f"{_bold(name)}(1)" for name in others]
    lines += [reference + "," for reference in references[:-1]] + references[-1:]
    lines += [".PP", "The documents in the folder"]
    lines += [f"{_italic('share/doc/nnet3-mlir')} of the installation."]
    return "\n".join(lines) + "\n"
