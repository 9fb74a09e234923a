# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the help texts that the tools print from their tables of options.

There are three forms: that of llvm::cl, that of OptionParser (nnet3-run,
nnet3-copy) and that of nnet3-rt-run. A line among the options that has none of
the expected forms is an error, so that no option is lost.
"""
import dataclasses
import re

# How help texts call values that are numbers.
_NUMBERS = {"int", "float", "uint", "long", "number", "n", "N", "SECONDS"}
# Groups of llvm::cl that every tool has.
_COMMON = ("Color Options", "Generic Options")


@dataclasses.dataclass
class Option:
    """`value` is what stands for the value, empty for a flag."""

    name: str
    value: str = ""
    default: str = ""
    help: str = ""
    is_value_optional: bool = False
    # Pairs of a name and a help text.
    values: list = dataclasses.field(default_factory=list)
    # Options of a pass, in its value.
    parts: list = dataclasses.field(default_factory=list)

    @property
    def is_number(self):
        """Whether no file is meant."""
        return self.value in _NUMBERS

    @property
    def separator(self):
        """What stands between name and value."""
        return "=" if self.name.startswith("--") else " "


@dataclasses.dataclass
class Group:
    title: str
    options: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Help:
    """`synopses` are the forms of the command line, `text` is what else is in
    front of the options."""

    synopses: list
    text: str
    groups: list


def _fail(line):
    raise ValueError(f"no line of options: '{line}'")


# ---- llvm::cl ----------------------------------------------------------------

_CL_GROUP = re.compile(r"(\S.*):$")
_CL_OPTION = re.compile(r"( +)(--?[\w.-]+)(\[?)(?:[= ]<([^>]*)>)?\]? +- *(.*)$")
_CL_VALUE = re.compile(r" +=(\S+) +- *(.*)$")
# Titles of the lists of passes.
_CL_TITLE = re.compile(r"  +[A-Z][\w ]*:?$")
# How far the options of passes are indented.
_PART = 8


def _read_cl_option(match, group):
    indent, name, bracket, value, text = match.groups()
    option = Option(name, value or "", text, is_value_optional=bool(bracket))
    if len(indent) >= _PART:
        group.options[-1].parts.append(option)
        return option
    for known in group.options:
        if known.name == name:
            # With a value and without.
            known.value = known.value or option.value
            known.is_value_optional = True
            return known
    group.options.append(option)
    return option


def _read_cl(text):
    head, _, body = text.partition("\nOPTIONS:\n")
    overview, _, usage = head.partition("USAGE: ")
    groups, last = [], None
    for line in filter(str.strip, body.splitlines()):
        if match := _CL_GROUP.fullmatch(line):
            groups.append(Group(match[1]))
        elif match := _CL_OPTION.fullmatch(line):
            last = _read_cl_option(match, groups[-1])
        elif match := _CL_VALUE.fullmatch(line):
            if match[1] != "<empty>":
                last.values.append((match[1], match[2]))
        elif not _CL_TITLE.fullmatch(line):
            _fail(line)
    overview = overview.removeprefix("OVERVIEW: ").strip()
    groups.sort(key=lambda group: group.title in _COMMON)
    return Help([usage.strip()], overview, groups)


# ---- OptionParser ------------------------------------------------------------

_PARSER_OPTION = re.compile(r"  (--[\w.-]+)(?: +(.*))?$")
_PARSER_HELP = re.compile(r"(.*) \((\w+)(?:, default = (.*))?\)$")
_CHOICE = re.compile(r"([\w-]+(?:\|[\w-]+)+): ")


def _finish_parser_option(option):
    match = _PARSER_HELP.fullmatch(option.help)
    if not match:
        _fail(option.help)
    text, kind, default = match.groups()
    if option.name in ("--help", "--version"):
        option.help = text
        return
    option.value, option.default = kind, default or ""
    if choice := _CHOICE.match(text):
        option.values = [(name, "") for name in choice[1].split("|")]
    elif text.startswith("NAME=MATRIX: "):
        option.value = "NAME=MATRIX"
    elif kind == "bool":
        option.value, option.is_value_optional = "true|false", True
        option.values = [("true", ""), ("false", "")]
    if default and default != '""':
        text += f" (default: {default})"
    option.help = text


def _read_parser(head, body):
    groups = []
    for line in filter(str.strip, body.splitlines()):
        if match := _CL_GROUP.fullmatch(line):
            groups.append(Group(match[1]))
        elif match := _PARSER_OPTION.fullmatch(line):
            groups[-1].options.append(Option(match[1], help=match[2] or ""))
        elif line.startswith(" " * 20):
            # A long name has a line of its own.
            groups[-1].options[-1].help += line.strip()
        else:
            _fail(line)
    for group in groups:
        for option in group.options:
            _finish_parser_option(option)
    return Help(*_split_usage(head), groups)


# ---- nnet3-rt-run ------------------------------------------------------------

_RUNNER_OPTION = re.compile(r"  (--[^\s,]+(?:, --[^\s,]+)*)(?: +(.*))?$")
# The text in front of the options tells of these.
_RUNNER_GENERAL = [
    Option("--help", help="Print a summary of the options"),
    Option("--version", help="Print the version"),
]


def _read_runner(head, body):
    groups, new = [], []
    for line in filter(str.strip, body.splitlines()):
        if match := _CL_GROUP.fullmatch(line):
            groups.append(Group(match[1]))
        elif match := _RUNNER_OPTION.fullmatch(line):
            new = []
            for text in match[1].split(", "):
                name, _, value = text.partition("=")
                new.append(Option(name, value, match[2] or ""))
            groups[-1].options += new
        elif line.startswith(" " * 20):
            for option in new:
                option.help = f"{option.help} {line.strip()}".strip()
        else:
            _fail(line)
    general = Group("General options", _RUNNER_GENERAL)
    return Help(*_split_usage(head), [general] + groups)


# ---- All ---------------------------------------------------------------------


def _split_usage(head):
    """The forms of the command line, and the rest of the text."""
    synopses, rest = [], []
    for line in head.splitlines():
        match = re.match(r"(?:[Uu]sage:|   or:|      ) (nnet3-\S+ .*)$", line)
        if match:
            synopses.append(match[1])
        elif synopses and line.startswith("         "):
            synopses[-1] += " " + line.strip()
        else:
            rest.append(line)
    return synopses, "\n".join(rest).strip()


def read_help(text):
    """What a help text says. Raises ValueError at a line of unknown form."""
    if "\nOPTIONS:\n" in text:
        return _read_cl(text)
    first = re.search(r"^(\S.*):$(?=\n +--)", text, re.M)
    head, body = text[: first.start()], text[first.start() :]
    if "\nUsage: " in text:
        return _read_parser(head, body)
    return _read_runner(head, body)
