//===- CheckReport.cpp - Report of check results --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckReport.h"
#include "runner/PrintableText.h"

#include <cstdio>

namespace nnet3 {
namespace rt {

static const char *nameOf(Outcome outcome) {
  static const char *const kNames[] = {"passed", "failed", "skipped"};
  return kNames[static_cast<size_t>(outcome)];
}

void CheckReport::add(size_t number, const std::string &name,
                      const std::string &backend, const CheckResult &result) {
  ++counts[static_cast<size_t>(result.outcome)];
  if (result.outcome == Outcome::Skipped)
    ++reasons[result.detail];
  lines[number] = {name, backend, result};
  if (!verbose && result.outcome != Outcome::Failed)
    return;
  const std::string detail = result.detail.empty() ? "" : ": " + result.detail;
  const std::string line = std::string(nameOf(result.outcome)) + ": " + name +
                           " [" + backend + "]" + detail;
  std::printf("%s\n", makePrintable(line).c_str());
  std::fflush(stdout);
}

std::string CheckReport::summary() const {
  std::string text = std::to_string(numberOf(Outcome::Passed)) + " passed, " +
                     std::to_string(numberOf(Outcome::Failed)) + " failed, " +
                     std::to_string(numberOf(Outcome::Skipped)) + " skipped";
  const char *separator = " (";
  for (const auto &[reason, count] : reasons) {
    text += separator + std::to_string(count) + ": " + reason;
    separator = "; ";
  }
  return reasons.empty() ? text : text + ")";
}

bool CheckReport::isGood(bool strict) const {
  return numberOf(Outcome::Passed) != 0 && numberOf(Outcome::Failed) == 0 &&
         (!strict || numberOf(Outcome::Skipped) == 0);
}

/// Quotes \p text as a JSON string. Non-ASCII bytes are not escaped, because
/// names come from UTF-8 files.
static std::string quote(const std::string &text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    char buffer[8];
    if (c == '"' || c == '\\')
      result += '\\';
    if (c < 0x20) {
      std::snprintf(buffer, sizeof(buffer), "\\u%04x", c);
      result += buffer;
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

std::string CheckReport::json() const {
  std::string text = "{\n";
  for (Outcome outcome : {Outcome::Passed, Outcome::Failed, Outcome::Skipped})
    text += std::string("\"") + nameOf(outcome) +
            "\": " + std::to_string(numberOf(outcome)) + ",\n";
  text += "\"checks\": [";
  const char *separator = "\n";
  for (const Line &line : lines) {
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), "%.6f", line.result.seconds);
    text += separator;
    text += "{\"case\": " + quote(line.name) +
            ", \"backend\": " + quote(line.backend) + ", \"outcome\": \"" +
            nameOf(line.result.outcome) + "\", \"seconds\": " + seconds +
            ", \"detail\": " + quote(line.result.detail) + "}";
    separator = ",\n";
  }
  return text + "\n]\n}\n";
}

} // namespace rt
} // namespace nnet3
