//===- NodeEdits.cpp - Kaldi's edits, as far as they change nodes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/NodeEdits.h"

#include "ConfigLine.h"
#include "Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "llvm/ADT/TypeSwitch.h"

using mlir::emitError;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::StringAttr;
using mlir::success;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The name of a node; null for another operation.
static StringAttr getNodeName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringAttr>(op)
      .Case<InputNodeOp, ComponentNodeOp, DimRangeNodeOp, OutputNodeOp>(
          [](auto node) { return node.getNameAttr(); })
      .Default(StringAttr());
}

static Operation *findNode(NetworkOp network, llvm::StringRef name) {
  for (Operation &op : network.getBody().front())
    if (StringAttr nodeName = getNodeName(&op); nodeName && nodeName == name)
      return &op;
  return nullptr;
}

/// Whether `name` matches `pattern`, in which `*` stands for any text.
static bool matches(llvm::StringRef pattern, llvm::StringRef name) {
  auto [first, rest] = pattern.split('*');
  if (first.size() == pattern.size())
    return pattern == name;
  if (!name.consume_front(first))
    return false;
  // Each part at its first place; the last one at the end.
  while (rest.contains('*')) {
    auto [part, others] = rest.split('*');
    size_t found = name.find(part);
    if (found == llvm::StringRef::npos)
      return false;
    name = name.drop_front(found + part.size());
    rest = others;
  }
  return name.ends_with(rest);
}

//===----------------------------------------------------------------------===//
// Directives that change nodes
//===----------------------------------------------------------------------===//

static LogicalResult renameNode(NetworkOp network, ConfigLine &line) {
  const ConfigValue &oldName = *line.take("old-name");
  const ConfigValue &newName = *line.take("new-name");
  Operation *node = findNode(network, oldName.value);
  if (!node)
    return emitError(line.getLoc(oldName))
           << "undefined node " << quoteForMessage(oldName.value);
  if (!isNameToken(newName.value))
    return emitError(line.getLoc(newName))
           << "invalid name of a node " << quoteForMessage(newName.value);
  if (Operation *other = findNode(network, newName.value)) {
    InFlightDiagnostic diag = emitError(line.getLoc(newName))
                              << "there is a node '" << newName.value
                              << "' already";
    diag.attachNote(other->getLoc()) << "defined here";
    return diag;
  }
  llvm::TypeSwitch<Operation *>(node)
      .Case<InputNodeOp, ComponentNodeOp, DimRangeNodeOp, OutputNodeOp>(
          [&](auto op) { op.setName(newName.value); });
  return success();
}

static LogicalResult removeOutputNodes(NetworkOp network, ConfigLine &line) {
  const ConfigValue &pattern = *line.take("name");
  llvm::SmallVector<OutputNodeOp> removed, kept;
  for (auto node : network.getOps<OutputNodeOp>())
    (matches(pattern.value, node.getName()) ? removed : kept).push_back(node);
  if (kept.empty())
    return emitError(line.getLoc(pattern))
           << "expects an output node to remain, but "
           << quoteForMessage(pattern.value) << " matches all of them";
  if (removed.empty())
    emitWarning(line.getLoc(pattern))
        << "no output node matches " << quoteForMessage(pattern.value);
  for (OutputNodeOp node : removed)
    node.erase();
  return success();
}

static std::optional<bool> parseBool(llvm::StringRef text) {
  char first = text.empty() ? ' ' : llvm::toLower(text.front());
  if (first == 't' || first == 'f')
    return first == 't';
  return std::nullopt;
}

/// Removes the nodes and descriptors that no output depends on.
static LogicalResult removeOrphanNodes(NetworkOp network, ConfigLine &line) {
  const ConfigValue *inputs = line.take("remove-orphan-inputs");
  bool removesInputs = inputs && *parseBool(inputs->value);
  llvm::SmallVector<Operation *> open;
  llvm::SmallPtrSet<Operation *, 32> needed;
  for (Operation &op : network.getBody().front())
    if (llvm::isa<OutputNodeOp>(op) ||
        (llvm::isa<InputNodeOp>(op) && !removesInputs))
      open.push_back(&op);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      open.push_back(operand.getDefiningOp());
  }
  llvm::SmallVector<Operation *> orphans;
  for (Operation &op : network.getBody().front())
    if (op.getNumResults() > 0 && !needed.contains(&op))
      orphans.push_back(&op);
  for (Operation *op : orphans)
    op->dropAllReferences();
  for (Operation *op : orphans)
    op->erase();
  return success();
}

/// One of the dims that apply-svd may choose by must be positive.
static LogicalResult verifySvd(NetworkOp, ConfigLine &line) {
  for (llvm::StringRef key : {"bottleneck-dim", "energy-threshold"})
    if (const ConfigValue *value = line.take(key))
      if (*parseReal(value->value) > 0)
        return success();
  return emitError(line.getWordLoc())
         << "expects bottleneck-dim or energy-threshold to be positive";
}

//===----------------------------------------------------------------------===//
// All directives
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
  llvm::SmallVector<Key, 4> keys;
  /// Null if the directive changes components alone.
  LogicalResult (*apply)(NetworkOp network, ConfigLine &line) = nullptr;
};

} // namespace

static const Directive *findDirective(llvm::StringRef name) {
  static const Key pattern = {"name", Kind::Text};
  static const Key requiredPattern = {"name", Kind::Text, /*required=*/true};
  static const Key orphanInputs = {"remove-orphan-inputs", Kind::Bool};
  static const Directive directives[] = {
      {"convert-to-fixed-affine", {pattern}},
      {"remove-orphan-nodes", {orphanInputs}, removeOrphanNodes},
      {"remove-orphan-components", {}},
      {"remove-orphans", {orphanInputs}, removeOrphanNodes},
      {"set-learning-rate", {pattern, {"learning-rate", Kind::Real, true}}},
      {"set-learning-rate-factor",
       {pattern, {"learning-rate-factor", Kind::Real, true}}},
      {"rename-node",
       {{"old-name", Kind::Text, true}, {"new-name", Kind::Text, true}},
       renameNode},
      {"remove-output-nodes", {requiredPattern}, removeOutputNodes},
      {"set-dropout-proportion", {pattern, {"proportion", Kind::Real, true}}},
      {"apply-svd",
       {requiredPattern,
        {"bottleneck-dim", Kind::Integer},
        {"energy-threshold", Kind::Real},
        {"shrinkage-threshold", Kind::Real}},
       verifySvd},
      {"reduce-rank", {requiredPattern, {"rank", Kind::Integer, true}}},
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

static LogicalResult applyDirective(NetworkOp network, ConfigLine &line) {
  const Directive *directive = findDirective(line.getWord());
  if (!directive)
    return emitError(line.getWordLoc())
           << "unknown edit directive " << quoteForMessage(line.getWord());
  for (const Key &key : directive->keys) {
    const ConfigValue *value = key.required
                                   ? line.require(key.name, directive->name)
                                   : line.take(key.name);
    if (!value && key.required)
      return failure();
    if (!value)
      continue;
    llvm::StringRef violation = getViolation(key.kind, value->value);
    if (!violation.empty())
      return emitError(line.getLoc(*value))
             << "expects " << violation << " as " << key.name << ", but got "
             << quoteForMessage(value->value);
  }
  if (failed(line.verifyAllUsed(directive->name)))
    return failure();
  return directive->apply ? directive->apply(network, line) : success();
}

LogicalResult editNodes(NetworkOp network, const ConfigSource &edits) {
  auto fileName = StringAttr::get(network.getContext(), edits.fileName);
  llvm::SmallVector<llvm::StringRef> lines;
  edits.text.split(lines, '\n');
  for (auto [number, text] : llvm::enumerate(lines)) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.split(parts, ';');
    for (llvm::StringRef part : parts) {
      auto line = ConfigLine::parse(part, fileName, number + 1,
                                    /*shift=*/part.data() - text.data());
      if (failed(line) ||
          (!line->isEmpty() && failed(applyDirective(network, *line))))
        return failure();
    }
  }
  return success();
}

} // namespace mlir::nnet3
