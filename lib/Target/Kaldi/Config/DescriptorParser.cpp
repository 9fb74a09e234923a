//===- DescriptorParser.cpp - Text of descriptors -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/DescriptorParser.h"

#include "Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::InFlightDiagnostic;
using mlir::Location;
using mlir::LocationAttr;
using mlir::LogicalResult;
using mlir::success;
using mlir::nnet3::Descriptor;
using mlir::nnet3::getKeyword;
using Kind = Descriptor::Kind;

namespace mlir::nnet3 {

bool isNameToken(llvm::StringRef name) {
  auto isStart = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  return !name.empty() && isStart(name.front()) &&
         llvm::all_of(name, [&](char c) {
           return isStart(c) || llvm::isDigit(c) || c == '-' || c == '.';
         });
}

static std::optional<Kind> getKeywordKind(llvm::StringRef word) {
  for (Kind kind : {Kind::Append, Kind::Sum, Kind::Failover, Kind::IfDefined,
                    Kind::Const, Kind::Offset, Kind::Switch, Kind::Round,
                    Kind::ReplaceIndex, Kind::Scale})
    if (word == getKeyword(kind))
      return kind;
  return std::nullopt;
}

bool isDescriptorKeyword(llvm::StringRef name) {
  return getKeywordKind(name).has_value();
}

/// Returns the nesting depth of the normal form of `descriptor`, in which sums
/// are binary: `Sum(a, Sum(b, c))`.
static unsigned getNormalDepth(const Descriptor &descriptor) {
  if (descriptor.operands.empty())
    return 0;
  bool isSum = descriptor.kind == Kind::Sum;
  unsigned depth = getNormalDepth(descriptor.operands.back());
  llvm::ArrayRef<Descriptor> others = descriptor.operands;
  for (const Descriptor &operand : llvm::reverse(others.drop_back()))
    depth = std::max(depth, getNormalDepth(operand)) + (isSum ? 1 : 0);
  return isSum ? depth : depth + 1;
}

namespace {

/// A recursive descent parser. It limits the nesting depth, so that neither
/// parsing nor later recursion overflows the stack.
class Parser {
public:
  Parser(llvm::StringRef text, llvm::function_ref<LocationAttr(size_t)> locAt,
         DescriptorLeafParser parseLeaf)
      : text(text), locAt(locAt), parseLeaf(parseLeaf) {
    advance();
  }

  FailureOr<Descriptor> parse() {
    FailureOr<Descriptor> result = parseDescriptor(0);
    if (failed(result))
      return failure();
    if (!token.empty())
      return error() << "unexpected " << quoteForMessage(token)
                     << " after the descriptor";
    if (getNormalDepth(*result) > kMaxDepth)
      return emitError(Location(result->loc))
             << "descriptor is nested too deeply";
    return result;
  }

private:
  static constexpr unsigned kMaxDepth = 1000;

  void advance();
  InFlightDiagnostic error() { return emitError(Location(locAt(tokenStart))); }
  InFlightDiagnostic expected(llvm::StringRef what) {
    InFlightDiagnostic diag = error() << "expects " << what << ", but got ";
    if (token.empty())
      diag << "the end of the descriptor";
    else
      diag << quoteForMessage(token);
    return diag;
  }

  FailureOr<Descriptor> parseDescriptor(unsigned depth);
  FailureOr<Descriptor> parseNode();
  LogicalResult parseArguments(Descriptor &descriptor, unsigned depth);
  LogicalResult parseOperand(Descriptor &descriptor, unsigned depth);
  LogicalResult parseList(Descriptor &descriptor, unsigned depth);
  LogicalResult parseComma();
  LogicalResult parseInteger(llvm::StringRef what, int32_t &value);
  LogicalResult parseReal(llvm::StringRef what, double &value);
  LogicalResult parseVariable(Descriptor &descriptor);

  llvm::StringRef text;
  llvm::function_ref<LocationAttr(size_t)> locAt;
  /// If null, leaves are names.
  DescriptorLeafParser parseLeaf;
  /// The current token; empty at the end.
  llvm::StringRef token;
  size_t tokenStart = 0;
  size_t tokenEnd = 0;
};

} // namespace

void Parser::advance() {
  tokenStart = std::min(text.find_first_not_of(" \t", tokenEnd), text.size());
  tokenEnd = std::min(text.find_first_of("(), \t", tokenStart), text.size());
  if (tokenEnd == tokenStart && tokenEnd < text.size())
    ++tokenEnd;
  token = text.slice(tokenStart, tokenEnd);
}

FailureOr<Descriptor> Parser::parseNode() {
  bool isWord =
      parseLeaf ? !llvm::StringRef("(),").contains(token) : isNameToken(token);
  if (!isWord)
    return expected("a descriptor");
  llvm::StringRef word = token;
  LocationAttr loc = locAt(tokenStart);
  advance();
  if (token == "(")
    return emitError(Location(loc)) << "unknown descriptor '" << word << "'";
  if (parseLeaf)
    return parseLeaf(word, loc);
  Descriptor node;
  node.name = word.str();
  node.loc = loc;
  return node;
}

FailureOr<Descriptor> Parser::parseDescriptor(unsigned depth) {
  if (depth > kMaxDepth)
    return error() << "descriptor is nested too deeply";
  std::optional<Kind> kind = getKeywordKind(token);
  if (!kind)
    return parseNode();

  Descriptor descriptor;
  descriptor.kind = *kind;
  descriptor.loc = locAt(tokenStart);
  advance();
  if (token != "(") {
    expected("'(' after " + getKeyword(*kind).str());
    return failure();
  }
  advance();
  if (failed(parseArguments(descriptor, depth)))
    return failure();
  if (token != ")") {
    InFlightDiagnostic diag = expected("')'");
    diag.attachNote(Location(descriptor.loc))
        << "to close this " << getKeyword(*kind);
    return diag;
  }
  advance();
  return descriptor;
}

LogicalResult Parser::parseArguments(Descriptor &descriptor, unsigned depth) {
  switch (descriptor.kind) {
  case Kind::Append:
  case Kind::Sum:
  case Kind::Switch:
    return parseList(descriptor, depth);
  case Kind::Failover:
    return success(succeeded(parseOperand(descriptor, depth)) &&
                   succeeded(parseComma()) &&
                   succeeded(parseOperand(descriptor, depth)));
  case Kind::IfDefined:
    return parseOperand(descriptor, depth);
  case Kind::Const: {
    int32_t dim;
    if (failed(parseReal("value", descriptor.alpha)) || failed(parseComma()))
      return failure();
    LocationAttr dimLoc = locAt(tokenStart);
    if (failed(parseInteger("dim", dim)))
      return failure();
    if (dim <= 0)
      return emitError(Location(dimLoc))
             << "expects a positive dim of Const, but got " << dim;
    descriptor.dim = dim;
    return success();
  }
  case Kind::Offset:
    if (failed(parseOperand(descriptor, depth)) || failed(parseComma()) ||
        failed(parseInteger("offset", descriptor.t)))
      return failure();
    if (token != ",")
      return success();
    advance();
    return parseInteger("x offset", descriptor.x);
  case Kind::Round: {
    if (failed(parseOperand(descriptor, depth)) || failed(parseComma()))
      return failure();
    LocationAttr modulusLoc = locAt(tokenStart);
    if (failed(parseInteger("modulus", descriptor.t)))
      return failure();
    if (descriptor.t <= 0)
      return emitError(Location(modulusLoc))
             << "expects a positive modulus of Round, but got " << descriptor.t;
    return success();
  }
  case Kind::ReplaceIndex:
    return success(
        succeeded(parseOperand(descriptor, depth)) && succeeded(parseComma()) &&
        succeeded(parseVariable(descriptor)) && succeeded(parseComma()) &&
        succeeded(parseInteger("index", descriptor.t)));
  case Kind::Scale:
    return success(succeeded(parseReal("scale", descriptor.alpha)) &&
                   succeeded(parseComma()) &&
                   succeeded(parseOperand(descriptor, depth)));
  case Kind::Node:
    break;
  }
  llvm_unreachable("a node has no arguments");
}

LogicalResult Parser::parseOperand(Descriptor &descriptor, unsigned depth) {
  FailureOr<Descriptor> operand = parseDescriptor(depth + 1);
  if (failed(operand))
    return failure();
  descriptor.operands.push_back(std::move(*operand));
  return success();
}

LogicalResult Parser::parseList(Descriptor &descriptor, unsigned depth) {
  if (token == ")")
    return emitError(Location(descriptor.loc))
           << getKeyword(descriptor.kind) << " has no arguments";
  while (true) {
    if (failed(parseOperand(descriptor, depth)))
      return failure();
    if (token != ",")
      return success();
    advance();
  }
}

LogicalResult Parser::parseComma() {
  if (token != ",")
    return expected("','");
  advance();
  return success();
}

LogicalResult Parser::parseInteger(llvm::StringRef what, int32_t &value) {
  std::optional<int32_t> number = mlir::nnet3::parseInteger(token);
  if (!number)
    return expected("an integer as " + what.str());
  value = *number;
  advance();
  return success();
}

LogicalResult Parser::parseReal(llvm::StringRef what, double &value) {
  std::optional<double> number = mlir::nnet3::parseReal(token);
  if (!number || !std::isfinite(static_cast<float>(*number)))
    return expected("a finite number as " + what.str());
  // Kaldi's numbers are float32.
  value = static_cast<float>(*number);
  advance();
  return success();
}

LogicalResult Parser::parseVariable(Descriptor &descriptor) {
  auto variable = symbolizeIndexVariable(token);
  if (!variable)
    return expected("t or x as the variable of ReplaceIndex");
  descriptor.variable = *variable;
  advance();
  return success();
}

FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt) {
  return Parser(text, locAt, nullptr).parse();
}

FailureOr<Descriptor>
parseDescriptor(llvm::StringRef text,
                llvm::function_ref<LocationAttr(size_t)> locAt,
                DescriptorLeafParser parseLeaf) {
  return Parser(text, locAt, parseLeaf).parse();
}

} // namespace mlir::nnet3
