//===- IvectorOptions.cpp - Options of i-vector extraction ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorOptions.h"
#include "core/ConfigText.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <variant>

using namespace nnet3::rt;
using std::string_view;

namespace {

/// An option and the variable that it sets.
struct Option {
  string_view name;
  std::variant<bool *, int32_t *, float *, std::string *> variable;
};

std::string setVariable(string_view name, string_view value, bool *variable) {
  if (parseFlag(value, *variable))
    return {};
  return "--" + std::string(name) + " expects true or false, not '" +
         std::string(value) + "'";
}

std::string setVariable(string_view, string_view value, std::string *variable) {
  *variable = value;
  return {};
}

template <typename T>
std::string setVariable(string_view name, string_view value, T *variable) {
  if (parseNumber(value, *variable))
    return {};
  return "--" + std::string(name) +
         (std::is_integral_v<T> ? " expects an integer, not '"
                                : " expects a finite number, not '") +
         std::string(value) + "'";
}

std::string setOption(std::initializer_list<Option> options, string_view name,
                      string_view value) {
  for (const Option &option : options)
    if (option.name == name)
      return std::visit(
          [&](auto *variable) { return setVariable(name, value, variable); },
          option.variable);
  return "there is no option --" + std::string(name) + " here";
}

} // namespace

std::string nnet3::rt::readTextFile(const std::string &path,
                                    std::string &text) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return path + ": cannot open the file: " + std::strerror(errno);
  // Configurations are short; the limit rejects endless inputs (devices).
  constexpr size_t kMostBytes = 1 << 20;
  char buffer[4096];
  text.clear();
  size_t count = 1;
  while (count > 0 && text.size() <= kMostBytes) {
    count = std::fread(buffer, 1, sizeof(buffer), file);
    text.append(buffer, count);
  }
  const bool isRead = std::ferror(file) == 0;
  std::fclose(file);
  if (!isRead)
    return path + ": cannot read the file";
  if (text.size() > kMostBytes)
    return path + ": expects a configuration of at most 1 MiB";
  return {};
}

//===----------------------------------------------------------------------===//
// Splicing
//===----------------------------------------------------------------------===//

/// Upper bound of the context in frames; keeps sizes from overflowing.
static constexpr int32_t kMostContext = 1000;

std::string SpliceOptions::parse(string_view text) {
  std::string error = parseConfig(text, [&](string_view name, string_view to) {
    return setOption(
        {{"left-context", &leftContext}, {"right-context", &rightContext}},
        name, to);
  });
  if (!error.empty())
    return error;
  for (auto [name, value] : {std::pair("left-context", leftContext),
                             std::pair("right-context", rightContext)})
    if (value < 0 || value > kMostContext)
      return expectValue(name, "0 to 1000", value);
  return {};
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

/// Parses "1:2:3".
static std::string parseColumns(string_view text,
                                std::vector<int32_t> &columns) {
  const std::string whole(text);
  columns.clear();
  while (!text.empty()) {
    const size_t end = text.find(':');
    int32_t column = -1;
    if (!parseNumber(text.substr(0, end), column) || column < 0)
      return "--skip-dims expects numbers with ':' between, not '" + whole +
             "'";
    columns.push_back(column);
    text.remove_prefix(end == string_view::npos ? text.size() : end + 1);
  }
  return {};
}

std::string CmvnOptions::parse(string_view text) {
  std::string columns;
  std::string error = parseConfig(text, [&](string_view name, string_view to) {
    return setOption({{"cmn-window", &window},
                      {"speaker-frames", &speakerFrames},
                      {"global-frames", &globalFrames},
                      {"norm-means", &normMeans},
                      {"norm-vars", &normVars},
                      {"skip-dims", &columns}},
                     name, to);
  });
  if (error.empty())
    error = parseColumns(columns, skippedColumns);
  if (!error.empty())
    return error;
  if (window < 1 || window > 100000)
    return expectValue("cmn-window", "1 to 100000 frames", window);
  if (speakerFrames < 0 || speakerFrames > window)
    return expectValue("speaker-frames", "0 to --cmn-window", speakerFrames);
  if (globalFrames < 0 || globalFrames > speakerFrames)
    return expectValue("global-frames", "0 to --speaker-frames", globalFrames);
  if (normVars && !normMeans)
    return "--norm-vars=true expects --norm-means=true";
  return {};
}

//===----------------------------------------------------------------------===//
// The estimate
//===----------------------------------------------------------------------===//

std::string IvectorOptions::set(string_view name, string_view value) {
  // Kaldi's number of threads is accepted and ignored.
  int32_t numThreads = 0;
  return setOption({{"lda-matrix", &ldaMatrix},
                    {"global-cmvn-stats", &globalCmvnStats},
                    {"cmvn-config", &cmvnConfig},
                    {"splice-config", &spliceConfig},
                    {"diag-ubm", &diagUbm},
                    {"ivector-extractor", &ivectorExtractor},
                    {"ivector-period", &period},
                    {"num-gselect", &numGselect},
                    {"min-post", &minPost},
                    {"posterior-scale", &posteriorScale},
                    {"max-count", &maxCount},
                    {"max-remembered-frames", &maxRememberedFrames},
                    {"greedy-ivector-extractor", &greedy},
                    {"use-most-recent-ivector", &useMostRecent},
                    {"online-cmvn-iextractor", &normalisedStatistics},
                    {"repeat", &repeat},
                    {"exact-solve", &exactSolve},
                    {"num-threads", &numThreads}},
                   name, value);
}

std::string IvectorOptions::readConfig(const std::string &path) {
  std::string text;
  if (std::string error = readTextFile(path, text); !error.empty())
    return error;
  const std::string error = parseConfig(
      text, [&](string_view name, string_view to) { return set(name, to); });
  return error.empty() ? error : path + ":" + error;
}

std::string IvectorOptions::check() const {
  for (auto [name, value] : {std::pair("lda-matrix", &ldaMatrix),
                             std::pair("global-cmvn-stats", &globalCmvnStats),
                             std::pair("cmvn-config", &cmvnConfig),
                             std::pair("splice-config", &spliceConfig),
                             std::pair("diag-ubm", &diagUbm),
                             std::pair("ivector-extractor", &ivectorExtractor)})
    if (value->empty())
      return "expects a file for --" + std::string(name);
  if (period < 1 || period > 10000)
    return expectValue("ivector-period", "1 to 10000 frames", period);
  if (numGselect < 1)
    return expectValue("num-gselect", "at least 1", numGselect);
  if (!(minPost >= 0 && minPost < 0.5f))
    return expectValue("min-post", "0 to below 0.5", minPost);
  if (!(posteriorScale > 0 && posteriorScale <= 1))
    return expectValue("posterior-scale", "above 0, up to 1", posteriorScale);
  if (!(maxCount >= 0))
    return expectValue("max-count", "at least 0", maxCount);
  if (!(maxRememberedFrames >= 0))
    return expectValue("max-remembered-frames", "at least 0",
                       maxRememberedFrames);
  return {};
}

std::string IvectorOptions::parse(const std::vector<string_view> &arguments) {
  // Arguments override files in any order.
  for (string_view argument : arguments) {
    std::string error =
        parseOption(argument, [&](string_view name, string_view value) {
          return name == "config" ? readConfig(std::string(value))
                                  : std::string();
        });
    if (!error.empty())
      return error;
  }
  for (string_view argument : arguments) {
    std::string error =
        parseOption(argument, [&](string_view name, string_view value) {
          return name == "config" ? std::string() : set(name, value);
        });
    if (!error.empty())
      return error;
  }
  return check();
}
