//===- Setting.cpp - Value of a key of a layer ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Setting.h"

#include "../Config/Numbers.h"
#include <cmath>
#include <optional>

using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

llvm::StringRef describe(ValueKind kind) {
  switch (kind) {
  case ValueKind::Int:
    return "an integer";
  case ValueKind::Float:
    return "a number";
  case ValueKind::Bool:
    return "true or false";
  case ValueKind::Text:
    return "text";
  }
  llvm_unreachable("all kinds are listed");
}

/// Sets the value of `setting` from `text`; returns false if the text is not of
/// the key's kind.
static bool assign(Setting &setting, llvm::StringRef text) {
  std::optional<double> number;
  switch (setting.key->kind) {
  case ValueKind::Text:
    setting.text = text.str();
    return true;
  case ValueKind::Bool:
    if (text == "true" || text == "True")
      number = 1;
    else if (text == "false" || text == "False")
      number = 0;
    setting.text = number == 1.0 ? "true" : "false";
    break;
  case ValueKind::Int:
    number = parseInteger(text);
    if (number)
      setting.text = std::to_string(static_cast<int64_t>(*number));
    break;
  case ValueKind::Float:
    number = parseReal(text);
    if (number)
      setting.text = formatReal(*number);
    break;
  }
  setting.number = number.value_or(0);
  return number.has_value();
}

Setting::Setting(const LayerKey &key, Location layerLoc)
    : key(&key), loc(layerLoc) {
  if (!key.required)
    assign(*this, key.defaultValue);
}

LogicalResult Setting::give(llvm::StringRef value, Location valueLoc) {
  std::string defaultText = text;
  loc = valueLoc;
  given = true;
  bool ok = assign(*this, value);
  isDefault = !key->required && text == defaultText;
  return success(ok);
}

/// Returns the condition of `range` that `value` violates; empty if there is
/// none.
static llvm::StringRef getNumberViolation(Range range, double value) {
  switch (range) {
  case Range::Any:
  case Range::Objective:
    return std::isnan(value) ? "a number" : "";
  case Range::Positive:
    return value > 0 ? "" : "positive";
  case Range::NonNegative:
    return value >= 0 ? "" : "not negative";
  case Range::Nonzero:
    return value < 0 || value > 0 ? "" : "not zero";
  case Range::WithinOne:
    return value >= -1 && value <= 1 ? "" : "between -1 and 1";
  case Range::ProportionOrNone:
    if (value == -1)
      return "";
    [[fallthrough]];
  case Range::Proportion:
    return value >= 0 && value <= 1 ? "" : "between 0 and 1";
  }
  llvm_unreachable("all ranges are listed");
}

std::string Setting::getViolation() const {
  // A default outside the range means that the layer derives the value.
  if (isDefault)
    return "";
  if (key->kind != ValueKind::Text)
    return getNumberViolation(key->range, number).str();
  bool isObjective = text == "linear" || text == "quadratic";
  return key->range == Range::Objective && !isObjective ? "linear or quadratic"
                                                        : "";
}

std::string formatReal(double value) {
  std::string text = llvm::StringRef(formatDouble(value)).str();
  if (!std::isfinite(value))
    return text;
  // Formatted as in Python: an exponent only for very small and large numbers.
  double magnitude = std::fabs(value);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16))
    text = formatFixed(value);
  bool isWhole = text.find_first_of(".e") == std::string::npos;
  return isWhole ? text + ".0" : text;
}

} // namespace mlir::nnet3::xconfig
