//===- ReadEdits.cpp - Kaldi's edit directives, read ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Config/ConfigLine.h"
#include "../Config/Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/Edits.h"

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::Pass;
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

// Values that are known to be of the right kind; `other` if there is none.

static std::string getText(ConfigLine &line, llvm::StringRef key,
                           llvm::StringRef other = "") {
  const ConfigValue *value = line.take(key);
  return value ? value->value.str() : other.str();
}

static double getReal(ConfigLine &line, llvm::StringRef key, double other) {
  const ConfigValue *value = line.take(key);
  return value ? *parseReal(value->value) : other;
}

static int64_t getInteger(ConfigLine &line, llvm::StringRef key,
                          int64_t other) {
  const ConfigValue *value = line.take(key);
  return value ? *parseInteger(value->value) : other;
}

static bool getBool(ConfigLine &line, llvm::StringRef key) {
  const ConfigValue *value = line.take(key);
  return value && *parseBool(value->value);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

using PassPtr = std::unique_ptr<Pass>;

static PassPtr convertToFixedAffine(ConfigLine &line) {
  return createNnet3ConvertToFixedAffine({getText(line, "name", "*")});
}

static PassPtr removeOrphanNodes(ConfigLine &line) {
  return createNnet3RemoveOrphanNodes({getBool(line, "remove-orphan-inputs")});
}

static PassPtr removeOrphanComponents(ConfigLine &) {
  return createNnet3RemoveOrphanComponents();
}

static PassPtr removeOrphans(ConfigLine &line) {
  return createNnet3RemoveOrphans({getBool(line, "remove-orphan-inputs")});
}

static PassPtr setLearningRate(ConfigLine &line) {
  return createNnet3SetLearningRate(
      {getText(line, "name", "*"), getReal(line, "learning-rate", 0)});
}

static PassPtr setLearningRateFactor(ConfigLine &line) {
  return createNnet3SetLearningRateFactor(
      {getText(line, "name", "*"), getReal(line, "learning-rate-factor", 1)});
}

static PassPtr renameNode(ConfigLine &line) {
  return createNnet3RenameNode(
      {getText(line, "old-name"), getText(line, "new-name")});
}

static PassPtr removeOutputNodes(ConfigLine &line) {
  return createNnet3RemoveOutputNodes({getText(line, "name")});
}

static PassPtr setDropoutProportion(ConfigLine &line) {
  return createNnet3SetDropoutProportion(
      {getText(line, "name", "*"), getReal(line, "proportion", 0)});
}

static PassPtr applySvd(ConfigLine &line) {
  return createNnet3ApplySvd({getText(line, "name"),
                              getInteger(line, "bottleneck-dim", -1),
                              getReal(line, "energy-threshold", -1),
                              getReal(line, "shrinkage-threshold", 1)});
}

/// One of the two must choose the dim.
static LogicalResult verifySvd(ConfigLine &line) {
  if (getInteger(line, "bottleneck-dim", -1) > 0 ||
      getReal(line, "energy-threshold", -1) > 0)
    return success();
  return emitError(line.getWordLoc())
         << "expects bottleneck-dim or energy-threshold to be positive";
}

static PassPtr reduceRank(ConfigLine &line) {
  return createNnet3ReduceRank(
      {getText(line, "name"), getInteger(line, "rank", 0)});
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

namespace {

/// How the value of a key is written.
enum class Kind { Text, Integer, Real, Bool };

struct Key {
  llvm::StringLiteral name;
  Kind kind;
  bool required = false;
};

struct Directive {
  llvm::StringLiteral name;
  /// Errors are at the first key that is required.
  llvm::SmallVector<Key, 4> keys;
  PassPtr (*create)(ConfigLine &line);
  bool changesNodes = false;
  /// Checks the values together; may be null.
  LogicalResult (*verify)(ConfigLine &line) = nullptr;
};

} // namespace

static const Directive *findDirective(llvm::StringRef name) {
  static const Key pattern = {"name", Kind::Text};
  static const Key requiredPattern = {"name", Kind::Text, /*required=*/true};
  static const Key orphanInputs = {"remove-orphan-inputs", Kind::Bool};
  static const Directive directives[] = {
      {"convert-to-fixed-affine", {pattern}, convertToFixedAffine},
      {"remove-orphan-nodes", {orphanInputs}, removeOrphanNodes, true},
      {"remove-orphan-components", {}, removeOrphanComponents},
      {"remove-orphans", {orphanInputs}, removeOrphans, true},
      {"set-learning-rate",
       {pattern, {"learning-rate", Kind::Real, true}},
       setLearningRate},
      {"set-learning-rate-factor",
       {pattern, {"learning-rate-factor", Kind::Real, true}},
       setLearningRateFactor},
      {"rename-node",
       {{"old-name", Kind::Text, true}, {"new-name", Kind::Text, true}},
       renameNode,
       true},
      {"remove-output-nodes", {requiredPattern}, removeOutputNodes, true},
      {"set-dropout-proportion",
       {pattern, {"proportion", Kind::Real, true}},
       setDropoutProportion},
      {"apply-svd",
       {requiredPattern,
        {"bottleneck-dim", Kind::Integer},
        {"energy-threshold", Kind::Real},
        {"shrinkage-threshold", Kind::Real}},
       applySvd,
       /*changesNodes=*/false,
       verifySvd},
      {"reduce-rank",
       {requiredPattern, {"rank", Kind::Integer, true}},
       reduceRank},
  };
  for (const Directive &directive : directives)
    if (directive.name == name)
      return &directive;
  return nullptr;
}

/// What `text` should be and is not; empty if it is of that kind.
static llvm::StringRef getViolation(Kind kind, llvm::StringRef text) {
  switch (kind) {
  case Kind::Text:
    return "";
  case Kind::Integer:
    return parseInteger(text) ? "" : "an integer";
  case Kind::Real:
    return parseReal(text) ? "" : "a number";
  case Kind::Bool:
    return parseBool(text) ? "" : "true or false";
  }
  llvm_unreachable("all kinds are listed");
}

/// Checks the value of a key, if there is one, and whether there has to be.
static LogicalResult verifyKey(ConfigLine &line, const Directive &directive,
                               const Key &key) {
  const ConfigValue *value = key.required
                                 ? line.require(key.name, directive.name)
                                 : line.take(key.name);
  if (!value)
    return success(!key.required);
  llvm::StringRef violation = getViolation(key.kind, value->value);
  if (violation.empty())
    return success();
  return emitError(line.getLoc(*value))
         << "expects " << violation << " as " << key.name << ", but got "
         << quoteForMessage(value->value);
}

static FailureOr<Edit> readEdit(ConfigLine &line) {
  const Directive *directive = findDirective(line.getWord());
  if (!directive)
    return emitError(line.getWordLoc())
           << "unknown edit directive " << quoteForMessage(line.getWord());
  Location loc = line.getWordLoc();
  for (const Key &key : llvm::reverse(directive->keys))
    if (key.required && line.take(key.name))
      loc = line.getLoc(*line.take(key.name));
  for (const Key &key : directive->keys)
    if (failed(verifyKey(line, *directive, key)))
      return failure();
  if (failed(line.verifyAllUsed(directive->name)))
    return failure();
  if (directive->verify && failed(directive->verify(line)))
    return failure();
  return Edit{directive->create(line), loc, directive->changesNodes};
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
