//===- ReadEdits.cpp - Reading Kaldi's edit directives --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Config/ConfigLine.h"
#include "../Config/Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Edits.h"

#include "llvm/ADT/StringExtras.h"

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::StringAttr;
using mlir::success;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::optional<bool> parseBool(llvm::StringRef text) {
  char first = text.empty() ? ' ' : llvm::toLower(text.front());
  if (first == 't' || first == 'f')
    return first == 't';
  return std::nullopt;
}

/// Returns true if `text` can be a name or a pattern. Other texts match nothing
/// and could not be written in a pipeline string.
static bool isPattern(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_-.*").contains(c);
  });
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

namespace {

/// The format of a key's value.
enum class Kind { Text, Integer, Real, Bool };

struct Key {
  llvm::StringLiteral name;
  Kind kind;
  bool required = false;
};

/// A directive. The pass is called "nnet3-" + name; its options are called like
/// the keys.
struct Directive {
  llvm::StringLiteral name;
  /// Errors about the whole directive are reported at the first required key.
  llvm::SmallVector<Key, 4> keys;
  bool changesNodes = false;
};

} // namespace

static const Directive *findDirective(llvm::StringRef name) {
  static const Key pattern = {"name", Kind::Text};
  static const Key requiredPattern = {"name", Kind::Text, /*required=*/true};
  static const Key orphanInputs = {"remove-orphan-inputs", Kind::Bool};
  static const Directive directives[] = {
      {"convert-to-fixed-affine", {pattern}},
      {"remove-orphan-nodes", {orphanInputs}, /*changesNodes=*/true},
      {"remove-orphan-components", {}},
      {"remove-orphans", {orphanInputs}, /*changesNodes=*/true},
      {"set-learning-rate", {pattern, {"learning-rate", Kind::Real, true}}},
      {"set-learning-rate-factor",
       {pattern, {"learning-rate-factor", Kind::Real, true}}},
      {"rename-node",
       {{"old-name", Kind::Text, true}, {"new-name", Kind::Text, true}},
       /*changesNodes=*/true},
      {"remove-output-nodes", {requiredPattern}, /*changesNodes=*/true},
      {"set-dropout-proportion", {pattern, {"proportion", Kind::Real, true}}},
      {"apply-svd",
       {requiredPattern,
        {"bottleneck-dim", Kind::Integer},
        {"energy-threshold", Kind::Real},
        {"shrinkage-threshold", Kind::Real}}},
      {"reduce-rank", {requiredPattern, {"rank", Kind::Integer, true}}},
  };
  for (const Directive &directive : directives)
    if (directive.name == name)
      return &directive;
  return nullptr;
}

/// Returns a description of `kind` if `text` is not of that kind; otherwise
/// empty.
static llvm::StringRef getViolation(Kind kind, llvm::StringRef text) {
  switch (kind) {
  case Kind::Text:
    return isPattern(text) ? "" : "a name or a pattern";
  case Kind::Integer:
    return parseInteger(text) ? "" : "an integer";
  case Kind::Real:
    return parseReal(text) ? "" : "a number";
  case Kind::Bool:
    return parseBool(text) ? "" : "true or false";
  }
  llvm_unreachable("all kinds are listed");
}

/// Converts the value of a key to the value of a pass option.
static std::string getOptionValue(Kind kind, llvm::StringRef text) {
  switch (kind) {
  case Kind::Text:
    return text.str();
  case Kind::Integer:
    return std::to_string(*parseInteger(text));
  case Kind::Real:
    return formatDouble(*parseReal(text));
  case Kind::Bool:
    return *parseBool(text) ? "true" : "false";
  }
  llvm_unreachable("all kinds are listed");
}

/// Adds the option for a key, if the line has it. Checks its value, and that
/// required keys are given.
static LogicalResult readKey(ConfigLine &line, const Directive &directive,
                             const Key &key,
                             llvm::SmallVectorImpl<std::string> &options) {
  const ConfigValue *value = key.required
                                 ? line.require(key.name, directive.name)
                                 : line.take(key.name);
  if (!value)
    return success(!key.required);
  llvm::StringRef violation = getViolation(key.kind, value->value);
  if (!violation.empty())
    return emitError(line.getLoc(*value))
           << "expects " << violation << " as " << key.name << ", but got "
           << quoteForMessage(value->value);
  options.push_back(
      (key.name + "=" + getOptionValue(key.kind, value->value)).str());
  return success();
}

/// Exactly one of the two keys of apply-svd must choose the dim.
static LogicalResult verifySvd(ConfigLine &line) {
  for (llvm::StringRef key : {"bottleneck-dim", "energy-threshold"})
    if (const ConfigValue *value = line.take(key))
      if (*parseReal(value->value) > 0)
        return success();
  return emitError(line.getWordLoc())
         << "expects bottleneck-dim or energy-threshold to be positive";
}

static FailureOr<Edit> readEdit(ConfigLine &line) {
  const Directive *directive = findDirective(line.getWord());
  if (!directive)
    return emitError(line.getWordLoc())
           << "unknown edit directive " << quoteForMessage(line.getWord());
  llvm::SmallVector<std::string> options;
  for (const Key &key : directive->keys)
    if (failed(readKey(line, *directive, key, options)))
      return failure();
  if (failed(line.verifyAllUsed(directive->name)) ||
      (directive->name == "apply-svd" && failed(verifySvd(line))))
    return failure();
  Edit edit{"nnet3-" + directive->name.str(), line.getWordLoc(),
            directive->changesNodes};
  if (!options.empty())
    edit.pass += "{" + llvm::join(options, " ") + "}";
  for (const Key &key : llvm::reverse(directive->keys))
    if (key.required)
      edit.loc = line.getLoc(*line.take(key.name));
  return edit;
}

FailureOr<std::vector<Edit>> readEdits(const ConfigSource &source,
                                       MLIRContext *context) {
  auto fileName = StringAttr::get(context, source.fileName);
  std::vector<Edit> edits;
  llvm::SmallVector<llvm::StringRef> lines;
  source.text.split(lines, '\n');
  for (auto [number, text] : llvm::enumerate(lines)) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, ';');
    for (llvm::StringRef part : parts) {
      auto line = ConfigLine::parse(part, fileName, number + 1,
                                    /*shift=*/part.data() - text.data());
      if (failed(line))
        return failure();
      if (line->isEmpty())
        continue;
      FailureOr<Edit> edit = readEdit(*line);
      if (failed(edit))
        return failure();
      edits.push_back(std::move(*edit));
    }
  }
  return edits;
}

} // namespace mlir::nnet3
