# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what completes the command line of a tool in bash, zsh and fish."""
import shlex

# `=` separates words of the line in bash, so the name of an option and its value
# are words of their own. Where the function gives nothing, bash completes the
# names of files.
_BASH = """# bash completion for {tool}; made from its --help.
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option= prefix= values=
  local before=${{COMP_WORDS[COMP_CWORD - 1]}}
  COMPREPLY=()
  if [[ $word == = ]]; then
    option=$before word=
  elif [[ $before == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}
  elif [[ $word == -*=* ]]; then
    option=${{word%%=*}} word=${{word#*=}}
    prefix=$option=
  elif [[ $before == -o ]]; then
    return
  fi
  if [[ -n $option ]]; then
    case $option in
{cases}
    esac
    [[ -z $values ]] ||
      mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    values='{options}'
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace
  fi
}}
complete -o default -F {function} {tool}
"""


def _options(help):
    """Each option once; some are in two groups."""
    known = {}
    for group in help.groups:
        for option in group.options:
            known.setdefault(option.name, option)
    return known.values()


def _bash_words(option):
    """The words that stand for an option: with `=` where a value follows."""
    if not option.value or option.separator == " ":
        return [option.name]
    equals = option.name + "="
    if not option.is_value_optional:
        return [equals]
    # A flag is given to change it.
    return [equals] if option.default == "true" else [option.name]


def make_bash(tool, help):
    words = [word for option in _options(help) for word in _bash_words(option)]
    cases = [
        f"      {option.name}) values='{' '.join(name for name, _ in option.values)}' ;;"
        for option in _options(help)
        if option.values
    ]
    numbers = [option.name for option in _options(help) if option.is_number]
    if numbers:
        cases.append(f"      {'|'.join(numbers)}) compopt +o default ;;")
    return _BASH.format(
        tool=tool,
        function="_" + tool.replace("-", "_"),
        options=" ".join(words),
        cases="\n".join(cases) or "      *) ;;",
    )


def _zsh_text(text):
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text


def _zsh_option(option):
    text = f"*{option.name}"
    has_values = bool(option.values)
    if option.value or has_values:
        optional = "-" if option.is_value_optional else ""
        text += "=" if option.separator == "=" else ""
        text = text + optional if text.endswith("=") else text
    text += f"[{_zsh_text(option.help)}]"
    if not option.value and not has_values:
        return shlex.quote(text)
    # Two colons: it may be missing.
    text += "::" if option.is_value_optional else ":"
    text += _zsh_text(option.value or "value") + ":"
    names = " ".join(_zsh_text(name) for name, _ in option.values)
    files = "" if option.is_number else "_files"
    return shlex.quote(text + (f"({names})" if has_values else files))


def make_zsh(tool, help):
    lines = [f"#compdef {tool}", "# Made from its --help.", "_arguments \\"]
    lines += [f"  {_zsh_option(option)} \\" for option in _options(help)]
    return "\n".join(lines + ["  '*:file:_files'"]) + "\n"


def _fish_option(tool, option):
    kind = "-l" if option.name.startswith("--") else "-s"
    words = ["complete", "-c", tool, kind, option.name.lstrip("-")]
    if option.values:
        words += ["-x", "-a", " ".join(name for name, _ in option.values)]
    elif option.value:
        words.append("-x" if option.is_number else "-r")
    if option.help:
        words += ["-d", option.help]
    return shlex.join(words)


def make_fish(tool, help):
    lines = ["# Made from its --help."]
    lines += [_fish_option(tool, option) for option in _options(help)]
    return "\n".join(lines) + "\n"
