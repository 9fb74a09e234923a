//===- RunnerOptions.cpp - The command line of nnet3-rt-run ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerOptions.h"
#include "UnknownOption.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace nnet3 {
namespace rt {

const char *RunnerOptions::helpText() {
  return R"(usage: nnet3-rt-run [options] PACK
       nnet3-rt-run [options] PROGRAM|LIBRARY

Checks all cases of a pack, or runs a program file or a library of
nnet3-compile. Needs nothing but the C library. --help prints this text,
--version the version.

Packs:
  --backend=NAME    only this one: interpreter, or what a library is for
  --filter=REGEX    only cases whose name matches
  --jobs=N          so many processes (default: 1)
  --json=FILE       writes what each check came to
  --list            prints the cases and their backends
  --strict          checks that are skipped fail
  --timeout=SECONDS of one check (default: 300)
  --verbose         prints checks that passed, too

Programs and libraries:
  --add-checksum    writes the checksum of a library's file that another program
                    has linked or changed; nothing is run
  --input=NAME=MATRIX, --output=NAME=MATRIX
                    Kaldi's matrix files; derivatives are called as their
                    nodes; to write, - is the standard output
  --list            prints inputs and outputs
  --prefix=NAME     what a library's functions begin with (default: NAME of
                    libNAME.so)
  --request=NAME    one of a library's requests (default: the first)
  --seed=N          of random components in training mode (default: 0)
  --tune            finds the fastest algorithms of cuBLASLt for a library, and
                    writes them into its file
  --weights=FILE    a library's weights that are in a file of their own
                    (default: NAME.weights beside libNAME.so)
)";
}

namespace {

/// Matches one argument with options of each kind.
class Argument {
public:
  explicit Argument(std::string_view text) : text(text) {}

  bool isFlag(std::string_view name, bool &value) const {
    if (text != name)
      return false;
    value = true;
    return true;
  }
  /// Whether this is `name=value`.
  bool isValue(std::string_view name, std::string &value) const {
    if (text.size() <= name.size() || text.substr(0, name.size()) != name ||
        text[name.size()] != '=')
      return false;
    value = text.substr(name.size() + 1);
    return true;
  }

private:
  std::string_view text;
};

Result<unsigned> parseCount(const char *option, const std::string &value) {
  char *end = nullptr;
  errno = 0;
  const unsigned long count = std::strtoul(value.c_str(), &end, 10);
  if (errno != 0 || *end != '\0' || value.empty() || value[0] == '-' ||
      count == 0 || count > 10000)
    return invalidArgument(std::string(option) +
                           " expects a number from 1 to 10000, but got '" +
                           value + "'");
  return static_cast<unsigned>(count);
}

Result<uint64_t> parseSeed(const std::string &value) {
  char *end = nullptr;
  errno = 0;
  const unsigned long long seed = std::strtoull(value.c_str(), &end, 10);
  if (errno != 0 || *end != '\0' || value.empty() || value[0] == '-')
    return invalidArgument("--seed expects a number of 64 bits, but got '" +
                           value + "'");
  return uint64_t(seed);
}

Status addFile(const char *option, NamedFiles &list, const std::string &value) {
  const size_t equals = value.find('=');
  if (equals == 0 || equals == std::string::npos)
    return invalidArgument(std::string(option) +
                           " expects NAME=MATRIX, but got '" + value + "'");
  const std::string name = value.substr(0, equals);
  for (const auto &[known, path] : list)
    if (known == name)
      return invalidArgument(std::string(option) + "=" + name +
                             " is given twice");
  list.emplace_back(name, value.substr(equals + 1));
  return Status();
}

} // namespace

/// Parses one argument. \p next is the argument after it, or empty.
static Status parseArgument(const char *text, const char *next,
                            RunnerOptions &options) {
  const Argument argument(text);
  std::string value;
  if (argument.isFlag("--help", options.help) ||
      argument.isFlag("-h", options.help) ||
      argument.isFlag("--version", options.version) ||
      argument.isFlag("--list", options.list) ||
      argument.isFlag("--tune", options.tune) ||
      argument.isFlag("--add-checksum", options.addChecksum) ||
      argument.isFlag("--strict", options.strict) ||
      argument.isFlag("--verbose", options.verbose) ||
      argument.isValue("--filter", options.filter) ||
      argument.isValue("--backend", options.backend) ||
      argument.isValue("--json", options.json) ||
      argument.isValue("--request", options.request) ||
      argument.isValue("--prefix", options.prefix) ||
      argument.isValue("--weights", options.weights))
    return Status();
  if (argument.isValue("--input", value))
    return addFile("--input", options.inputs, value);
  if (argument.isValue("--output", value))
    return addFile("--output", options.outputs, value);
  if (argument.isValue("--seed", value)) {
    auto parsed = parseSeed(value);
    if (parsed.ok())
      options.seed = *parsed;
    return parsed.status();
  }
  for (auto [name, count] : {std::pair("--jobs", &options.jobs),
                             std::pair("--timeout", &options.timeout)})
    if (argument.isValue(name, value)) {
      auto parsed = parseCount(name, value);
      if (parsed.ok())
        *count = *parsed;
      return parsed.status();
    }
  if (text[0] == '-')
    return invalidArgument(
        describeUnknownOption(text, next, RunnerOptions::helpText()));
  if (!options.file.empty())
    return invalidArgument("expects one file, but got '" + options.file +
                           "' and '" + text + "'");
  options.file = text;
  return Status();
}

Result<RunnerOptions> RunnerOptions::parse(int argc, char **argv) {
  RunnerOptions options;
  for (int i = 1; i < argc; ++i)
    if (Status error =
            parseArgument(argv[i], i + 1 < argc ? argv[i + 1] : "", options);
        !error.ok())
      return error;
  if (options.file.empty() && !options.help && !options.version)
    return invalidArgument("expects a file; see --help");
  return options;
}

} // namespace rt
} // namespace nnet3
