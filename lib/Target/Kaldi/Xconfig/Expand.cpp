//===- Expand.cpp - Xconfigs to configs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerScope.h"
#include "LayerWriter.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

using namespace ::nnet3::kaldi;

using mlir::emitError;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::success;

namespace mlir::nnet3 {

using namespace xconfig;

namespace {

/// Expands an xconfig line by line.
class Expander {
public:
  Expander(const ConfigSource &source, MLIRContext *context)
      : text(source.text), fileName(StringAttr::get(context, source.fileName)) {
    expansion.fileName = source.fileName.str();
  }

  FailureOr<XconfigExpansion> expand(NetworkOp existing);

private:
  LogicalResult parseLines();
  LogicalResult verifyCharacters(llvm::StringRef line, unsigned number);
  LogicalResult expandLine(ConfigLine &line);
  void warnAboutUnused();

  llvm::StringRef text;
  StringAttr fileName;
  std::vector<ConfigLine> lines;
  LayerScope scope;
  XconfigExpansion expansion;
};

} // namespace

/// Checks the characters of a line. Brackets are allowed, for descriptors such
/// as `[-1]`.
LogicalResult Expander::verifyCharacters(llvm::StringRef line,
                                         unsigned number) {
  line = line.take_front(line.find('#'));
  constexpr llvm::StringLiteral others = ".-()@_=,/+:\"[] \t\r\v\f";
  for (auto [column, c] : llvm::enumerate(line))
    if (!llvm::isAlnum(c) && !others.contains(c))
      return emitError(FileLineColLoc::get(fileName, number, column + 1))
             << "character " << quoteForMessage(llvm::StringRef(&c, 1))
             << " is not allowed in an xconfig";
  return success();
}

LogicalResult Expander::parseLines() {
  bool ok = true;
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [lineText, rest] = text.split('\n');
    text = rest;
    if (failed(verifyCharacters(lineText, number))) {
      ok = false;
      continue;
    }
    FailureOr<ConfigLine> line = ConfigLine::parse(
        lineText, fileName, number, /*shift=*/0, RepeatedKey::Error);
    if (failed(line))
      ok = false;
    else if (!line->isEmpty())
      lines.push_back(std::move(*line));
  }
  return success(ok);
}

LogicalResult Expander::expandLine(ConfigLine &line) {
  FailureOr<Layer> read = Layer::read(line, scope);
  if (failed(read))
    return failure();
  if (const Layer *other = scope.findOwn(read->getName())) {
    InFlightDiagnostic diag = emitError(line.getLoc(*line.take("name")))
                              << "name of a layer '" << read->getName()
                              << "' is used twice";
    diag.attachNote(other->getLoc()) << "first used here";
    return diag;
  }
  LayerWriter writer(*read, expansion);
  if (failed(read->getType()->expand(*read, writer)))
    return failure();
  expansion.withDefaults += read->toText(/*descriptors=*/false) + "\n";
  expansion.withDescriptors += read->toText(/*descriptors=*/true) + "\n";
  scope.add(std::move(*read));
  return success();
}

void Expander::warnAboutUnused() {
  for (const Layer &layer : scope.getLayers()) {
    bool isOutput =
        layer.getOutputs().empty() || !layer.getOutputs().front().name.empty();
    if (!layer.used && !isOutput)
      emitWarning(layer.getLoc())
          << "layer '" << layer.getName() << "' is not used";
  }
}

FailureOr<XconfigExpansion> Expander::expand(NetworkOp existing) {
  if (failed(parseLines()))
    return failure();
  if (lines.empty())
    return emitError(FileLineColLoc::get(fileName, 1, 1))
           << "xconfig has no layers";
  if (existing)
    scope.addExisting(existing);
  for (ConfigLine &line : lines)
    if (const ConfigValue *name = line.take("name"))
      scope.noteLater(name->value);
  for (ConfigLine &line : lines)
    if (failed(expandLine(line)))
      return failure();
  // Without an output node in the init config, no transform needs to be
  // estimated.
  if (!expansion.init.getText().contains("\noutput-node "))
    expansion.init = ExpandedConfig();
  warnAboutUnused();
  return std::move(expansion);
}

FailureOr<XconfigExpansion> expandXconfig(const ConfigSource &source,
                                          NetworkOp existing,
                                          MLIRContext *context) {
  return Expander(source, context).expand(existing);
}

} // namespace mlir::nnet3
