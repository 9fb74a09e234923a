//===- RowTableAttr.cpp - The text of row tables --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

int64_t RowTableAttr::size() const { return row_table::size(getCode()); }

SmallVector<RowRef> RowTableAttr::expand() const {
  return row_table::expand(getCode());
}

SmallVector<int64_t> RowTableAttr::getMaxRows(unsigned numSources) const {
  SmallVector<int64_t> largest(numSources, -1);
  forEachRange(getCode(), [&](int64_t source, int64_t, int64_t last) {
    if (size_t(source) >= largest.size())
      largest.resize(source + 1, -1);
    largest[source] = std::max(largest[source], last);
  });
  return largest;
}

bool RowTableAttr::hasNone() const { return row_table::hasNone(getCode()); }

RowTableAttr RowTableAttr::get(MLIRContext *context, ArrayRef<RowRef> rows) {
  return get(context, ArrayRef<int64_t>(encode(rows)));
}

LogicalResult RowTableAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> code) {
  if (row_table::size(code) < 0)
    return emitError() << "expects a row table of at most " << kMaxSize
                       << " entries, in loops at most " << kMaxDepth << " deep";
  if (!forEachRange(code, [](int64_t, int64_t, int64_t) {}))
    return emitError() << "expects rows from 0 to " << kMaxRow - 1
                       << " of sources from 0 to " << kMaxSource - 1;
  return success();
}

static ParseResult parseItems(AsmParser &parser, Code &code, unsigned depth);

static ParseResult checkCount(AsmParser &parser, SMLoc loc, int64_t count) {
  if (count <= 0 || count > kMaxSize)
    return parser.emitError(loc, "expects a count from 1 to ")
           << kMaxSize << ", but got " << count;
  return success();
}

static ParseResult checkRow(AsmParser &parser, SMLoc loc, int64_t row) {
  if (row < 0 || row >= kMaxRow)
    return parser.emitError(loc, "expects a row from 0 to ")
           << kMaxRow - 1 << ", but got " << row;
  return success();
}

/// Parses `+16`, `-16` or `16` in a loop's brackets.
static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  (void)parser.parseOptionalPlus();
  return parser.parseInteger(stride);
}

/// Parses `[` count `x` stride `]` `(` items `)`.
static ParseResult parseLoop(AsmParser &parser, Code &code, unsigned depth) {
  int64_t count, stride;
  Code body;
  SMLoc loc = parser.getCurrentLocation();
  if (++depth > kMaxDepth)
    return parser.emitError(loc, "expects loops at most ")
           << kMaxDepth << " deep";
  if (parser.parseInteger(count) || parser.parseKeyword("x") ||
      parseStride(parser, stride) || parser.parseRSquare() ||
      parser.parseLParen() || parseItems(parser, body, depth) ||
      parser.parseRParen())
    return failure();
  if (failed(checkCount(parser, loc, count)))
    return failure();
  appendLoop(code, count, stride, body);
  return success();
}

/// Parses `a`, `a:b`, `a:b:step`, `count x a` or `count x _`, each followed by
/// `of source` unless it is source 0.
static ParseResult parseRows(AsmParser &parser, Code &code) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t first, count = 1, step = 0, source = 0;
  if (parser.parseInteger(first))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("x"))) {
    count = first;
    if (failed(checkCount(parser, loc, count)))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("_"))) {
      appendLoop(code, count, 0, {int64_t(kNone)});
      return success();
    }
    if (parser.parseInteger(first))
      return failure();
  } else if (succeeded(parser.parseOptionalColon())) {
    int64_t last;
    step = 1;
    if (parser.parseInteger(last))
      return failure();
    if (succeeded(parser.parseOptionalColon()) && parser.parseInteger(step))
      return failure();
    if (failed(checkRow(parser, loc, first)) ||
        failed(checkRow(parser, loc, last)))
      return failure();
    if (step <= -kMaxRow || step >= kMaxRow || step == 0 ||
        (last - first) % step != 0 || (last - first) / step < 0)
      return parser.emitError(loc, "range ")
             << first << ":" << last << " is not a multiple of step " << step;
    count = (last - first) / step + 1;
  }
  if (succeeded(parser.parseOptionalKeyword("of")) &&
      parser.parseInteger(source))
    return failure();
  if (failed(checkRow(parser, loc, first)))
    return failure();
  appendLoop(code, count, step, {int64_t(kRow), source, first});
  return success();
}

static ParseResult parseItems(AsmParser &parser, Code &code, unsigned depth) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("_"))) {
      code.push_back(kNone);
      return success();
    }
    if (succeeded(parser.parseOptionalLSquare()))
      return parseLoop(parser, code, depth);
    return parseRows(parser, code);
  });
}

Attribute RowTableAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Code code;
  if (parser.parseLess() || parseItems(parser, code, 0) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<RowTableAttr>(loc, parser.getContext(),
                                         ArrayRef<int64_t>(code));
}

static void printItems(raw_ostream &os, ArrayRef<int64_t> code);

static void printSource(raw_ostream &os, int64_t source) {
  if (source != 0)
    os << " of " << source;
}

static void printLoop(raw_ostream &os, int64_t count, int64_t stride,
                      ArrayRef<int64_t> body) {
  if (body.size() == 1 && body[0] == kNone) {
    os << count << " x _";
    return;
  }
  if (body.size() == 3 && body[0] == kRow) {
    int64_t first = body[2], last = first + (count - 1) * stride;
    if (stride == 0)
      os << count << " x " << first;
    else
      os << first << ":" << last;
    if (stride != 0 && stride != 1)
      os << ":" << stride;
    printSource(os, body[1]);
    return;
  }
  os << "[" << count << " x " << (stride >= 0 ? "+" : "") << stride << "](";
  printItems(os, body);
  os << ")";
}

static void printItems(raw_ostream &os, ArrayRef<int64_t> code) {
  StringRef separator;
  while (!code.empty()) {
    os << separator;
    separator = ", ";
    if (code[0] == kNone) {
      os << "_";
      code = code.drop_front();
    } else if (code[0] == kRow) {
      os << code[2];
      printSource(os, code[1]);
      code = code.drop_front(3);
    } else {
      printLoop(os, code[1], code[2], code.slice(4, code[3]));
      code = code.drop_front(4 + code[3]);
    }
  }
}

void RowTableAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printItems(printer.getStream(), getCode());
  printer << ">";
}
