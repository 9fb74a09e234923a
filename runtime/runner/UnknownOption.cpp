//===- UnknownOption.cpp - Messages about unknown options -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnknownOption.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace nnet3::rt;

/// Returns the edit distance of `a` and `b`.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, changed});
    }
  }
  return row.back();
}

/// Returns the options in a help text, such as `--list` and `--jobs=N`.
static std::vector<std::string_view> findOptions(std::string_view help) {
  std::vector<std::string_view> options;
  for (size_t at = 0; (at = help.find("--", at)) != std::string_view::npos;) {
    size_t end = std::min(help.find_first_of(" ,;\n", at), help.size());
    options.push_back(help.substr(at, end - at));
    at = end;
  }
  return options;
}

std::string nnet3::rt::describeUnknownOption(std::string_view argument,
                                             std::string_view next,
                                             std::string_view help) {
  const std::string_view name = argument.substr(0, argument.find('='));
  // Accept options that differ in at most a third of the name.
  size_t least = std::max<size_t>(2, name.size() / 3) + 1;
  std::string_view nearest;
  for (std::string_view option : findOptions(help)) {
    const std::string_view known = option.substr(0, option.find('='));
    if (known == argument && option != known) {
      const bool isValue = !next.empty() && next[0] != '-';
      return "option '" + std::string(known) + "' expects '=' and a value; " +
             "write '" +
             (isValue ? std::string(known) + "=" + std::string(next)
                      : std::string(option)) +
             "'";
    }
    if (const size_t d = distance(name, known); d < least) {
      least = d;
      nearest = known;
    }
  }
  return "unknown option '" + std::string(argument) + "'; " +
         (nearest.empty() ? "see --help"
                          : "did you mean '" + std::string(nearest) + "'?");
}
