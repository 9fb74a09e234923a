//===- Nnet3Attributes.cpp - Attributes of the nnet3 dialect --------------===//

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

#define GET_ATTRDEF_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.cpp.inc"

void Nnet3Dialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Index lists
//===----------------------------------------------------------------------===//

/// No request has more rows than this; a limit on what a few characters of
/// text can make us allocate.
static constexpr int64_t kMaxRows = int64_t(1) << 24;

int64_t IndexesAttr::size() const {
  if (isExplicit())
    return getList().size() / 3;
  return int64_t(getN().size()) * getT().size() * getX().size();
}

template <typename Fn>
static void forEachIndex(RowOrder order, ArrayRef<int32_t> ns,
                         ArrayRef<int32_t> ts, ArrayRef<int32_t> xs, Fn fn) {
  switch (order) {
  case RowOrder::NT:
    for (int32_t n : ns)
      for (int32_t t : ts)
        for (int32_t x : xs)
          fn(Index{n, t, x});
    return;
  case RowOrder::TN:
    for (int32_t t : ts)
      for (int32_t n : ns)
        for (int32_t x : xs)
          fn(Index{n, t, x});
    return;
  case RowOrder::TXN:
    for (int32_t t : ts)
      for (int32_t x : xs)
        for (int32_t n : ns)
          fn(Index{n, t, x});
    return;
  }
}

SmallVector<Index> IndexesAttr::expand() const {
  SmallVector<Index> rows;
  rows.reserve(size());
  if (isExplicit()) {
    for (size_t i = 0; i + 2 < getList().size(); i += 3)
      rows.push_back({getList()[i], getList()[i + 1], getList()[i + 2]});
    return rows;
  }
  forEachIndex(getOrder(), getN(), getT(), getX(),
               [&](Index index) { rows.push_back(index); });
  return rows;
}

/// The distinct values of one variable, in order of first appearance.
static SmallVector<int32_t> distinct(ArrayRef<Index> rows,
                                     int32_t Index::*variable) {
  SmallVector<int32_t> values;
  DenseSet<int64_t> seen;
  for (const Index &row : rows)
    if (seen.insert(row.*variable).second)
      values.push_back(row.*variable);
  return values;
}

IndexesAttr IndexesAttr::get(MLIRContext *context, ArrayRef<Index> rows) {
  SmallVector<int32_t> n = distinct(rows, &Index::n);
  SmallVector<int32_t> t = distinct(rows, &Index::t);
  SmallVector<int32_t> x = distinct(rows, &Index::x);
  if (!rows.empty() && n.size() * t.size() * x.size() == rows.size()) {
    for (RowOrder order : {RowOrder::NT, RowOrder::TN, RowOrder::TXN}) {
      size_t i = 0;
      bool same = true;
      forEachIndex(order, n, t, x,
                   [&](Index index) { same &= rows[i++] == index; });
      if (same)
        return get(context, n, t, x, order, {});
    }
  }
  SmallVector<int32_t> list;
  for (const Index &row : rows)
    llvm::append_values(list, row.n, row.t, row.x);
  return get(context, {}, {}, {}, RowOrder::NT, list);
}

LogicalResult IndexesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int32_t> n, ArrayRef<int32_t> t,
                                  ArrayRef<int32_t> x, RowOrder order,
                                  ArrayRef<int32_t> list) {
  if (!list.empty()) {
    DenseSet<Index> seen;
    for (size_t i = 0; i + 2 < list.size(); i += 3) {
      Index index{list[i], list[i + 1], list[i + 2]};
      if (!index.isBlank() && !seen.insert(index).second) {
        std::string text;
        llvm::raw_string_ostream(text) << index;
        return emitError() << "index " << text << " is listed twice";
      }
    }
    return success();
  }
  for (auto [name, values] :
       {std::pair<StringRef, ArrayRef<int32_t>>{"n", n}, {"t", t}, {"x", x}}) {
    DenseSet<int64_t> seen;
    for (int32_t value : values)
      if (!seen.insert(value).second)
        return emitError() << name << " = " << value << " is listed twice";
  }
  return success();
}

/// `a`, `a:b` or `a:b:step`; the values are appended.
static ParseResult parseRange(AsmParser &parser,
                              SmallVectorImpl<int32_t> &values) {
  SMLoc loc = parser.getCurrentLocation();
  int32_t first, last, step = 1;
  if (parser.parseInteger(first))
    return failure();
  last = first;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseInteger(last))
      return failure();
    if (succeeded(parser.parseOptionalColon()) && parser.parseInteger(step))
      return failure();
  }
  if (step <= 0)
    return parser.emitError(loc, "expects a positive step, but got ") << step;
  if (last < first)
    return parser.emitError(loc, "expects a range that does not end before it "
                                 "begins, but got ")
           << first << ":" << last;
  if ((int64_t(last) - first) / step + int64_t(values.size()) >= kMaxRows)
    return parser.emitError(loc, "range has too many values");
  for (int64_t value = first; value <= last; value += step)
    values.push_back(int32_t(value));
  return success();
}

static ParseResult parseRanges(AsmParser &parser,
                               SmallVectorImpl<int32_t> &values) {
  if (failed(parser.parseOptionalLSquare()))
    return parseRange(parser, values);
  do {
    if (parseRange(parser, values))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRSquare();
}

static ParseResult parseList(AsmParser &parser,
                             SmallVectorImpl<int32_t> &list) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    int32_t n, t, x = 0;
    if (parser.parseLParen() || parser.parseInteger(n) || parser.parseComma())
      return failure();
    if (succeeded(parser.parseOptionalKeyword("_")))
      t = kNoTime;
    else if (parser.parseInteger(t))
      return failure();
    if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(x))
      return failure();
    llvm::append_values(list, n, t, x);
    return parser.parseRParen();
  });
}

static ParseResult parseProduct(AsmParser &parser, SmallVectorImpl<int32_t> &n,
                                SmallVectorImpl<int32_t> &t,
                                SmallVectorImpl<int32_t> &x, RowOrder &order) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    SmallVectorImpl<int32_t> *values =
        llvm::StringSwitch<SmallVectorImpl<int32_t> *>(key)
            .Case("n", &n)
            .Case("t", &t)
            .Case("x", &x)
            .Default(nullptr);
    if (values) {
      if (!values->empty())
        return parser.emitError(loc, "variable ") << key << " is given twice";
      return parseRanges(parser, *values);
    }
    if (key != "order")
      return parser.emitError(loc, "expects n, t, x or order, but got ") << key;
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    if (name == "nt")
      order = RowOrder::NT;
    else if (name == "tn")
      order = RowOrder::TN;
    else if (name == "txn")
      order = RowOrder::TXN;
    else
      return parser.emitError(loc, "expects order nt, tn or txn, but got ")
             << name;
    return success();
  });
}

Attribute IndexesAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> n, t, x, list;
  RowOrder order = RowOrder::NT;
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parseList(parser, list) || parser.parseRSquare())
      return {};
  } else {
    if (parseProduct(parser, n, t, x, order))
      return {};
    for (SmallVectorImpl<int32_t> *values : {&n, &t, &x})
      if (values->empty())
        values->push_back(0);
  }
  if (parser.parseGreater())
    return {};
  if (int64_t(n.size()) * int64_t(t.size()) > kMaxRows ||
      int64_t(n.size()) * int64_t(t.size()) * int64_t(x.size()) > kMaxRows) {
    parser.emitError(loc, "too many rows");
    return {};
  }
  return parser.getChecked<IndexesAttr>(loc, parser.getContext(), n, t, x,
                                        order, list);
}

/// Prints `values` as ranges, in brackets if there are several.
static void printRanges(AsmPrinter &printer, ArrayRef<int32_t> values) {
  SmallVector<std::string> ranges;
  for (size_t i = 0; i < values.size();) {
    size_t end = i + 1;
    int64_t step = end < values.size() ? int64_t(values[end]) - values[i] : 0;
    while (step > 0 && end < values.size() &&
           int64_t(values[end]) - values[end - 1] == step)
      ++end;
    if (end - i < 3 && step != 1)
      end = i + 1;
    std::string text = std::to_string(values[i]);
    if (end - i > 1)
      text += ":" + std::to_string(values[end - 1]);
    if (end - i > 1 && step != 1)
      text += ":" + std::to_string(step);
    ranges.push_back(text);
    i = end;
  }
  if (ranges.size() == 1) {
    printer << ranges.front();
    return;
  }
  printer << "[" << llvm::join(ranges, ", ") << "]";
}

void IndexesAttr::print(AsmPrinter &printer) const {
  if (isExplicit()) {
    printer << "<[";
    llvm::interleaveComma(expand(), printer.getStream());
    printer << "]>";
    return;
  }
  printer << "<";
  StringRef separator;
  auto printVariable = [&](StringRef name, ArrayRef<int32_t> values,
                           bool always) {
    if (!always && values.size() == 1 && values.front() == 0)
      return;
    printer << separator << name << " = ";
    printRanges(printer, values);
    separator = ", ";
  };
  printVariable("n", getN(), false);
  printVariable("t", getT(), true);
  printVariable("x", getX(), false);
  if (getOrder() == RowOrder::TN)
    printer << ", order = tn";
  else if (getOrder() == RowOrder::TXN)
    printer << ", order = txn";
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Row tables
//===----------------------------------------------------------------------===//

int64_t RowTableAttr::size() const { return row_table::size(getCode()); }

SmallVector<RowRef> RowTableAttr::expand() const {
  return row_table::expand(getCode());
}

SmallVector<int64_t> RowTableAttr::getMaxRows(unsigned numSources) const {
  SmallVector<int64_t> largest(numSources, -1);
  for (const RowRef &row : expand()) {
    if (row.isNone())
      continue;
    if (size_t(row.source) >= largest.size())
      largest.resize(row.source + 1, -1);
    largest[row.source] = std::max(largest[row.source], row.row);
  }
  return largest;
}

RowTableAttr RowTableAttr::get(MLIRContext *context, ArrayRef<RowRef> rows) {
  return get(context, ArrayRef<int64_t>(encode(rows)));
}

LogicalResult RowTableAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> code) {
  if (row_table::size(code) < 0)
    return emitError() << "malformed row table";
  return success();
}

static ParseResult parseItems(AsmParser &parser, Code &code);

/// `+16` or `-16` or `16`, inside a loop's brackets.
static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  (void)parser.parseOptionalPlus();
  return parser.parseInteger(stride);
}

/// `[` count `x` stride `]` `(` items `)`.
static ParseResult parseLoop(AsmParser &parser, Code &code) {
  int64_t count, stride;
  Code body;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(count) || parser.parseKeyword("x") ||
      parseStride(parser, stride) || parser.parseRSquare() ||
      parser.parseLParen() || parseItems(parser, body) || parser.parseRParen())
    return failure();
  if (count <= 0)
    return parser.emitError(loc, "expects a positive count, but got ") << count;
  appendLoop(code, count, stride, body);
  return success();
}

/// `a`, `a:b`, `a:b:step`, `count x a`, `count x _`, each followed by
/// `of source` unless it is source 0.
static ParseResult parseRows(AsmParser &parser, Code &code) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t first, count = 1, step = 0, source = 0;
  if (parser.parseInteger(first))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("x"))) {
    count = first;
    if (count <= 0)
      return parser.emitError(loc, "expects a positive count, but got ")
             << count;
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
    if (step == 0 || (last - first) % step != 0 || (last - first) / step < 0)
      return parser.emitError(loc, "range ")
             << first << ":" << last << " is not a multiple of step " << step;
    count = (last - first) / step + 1;
  }
  if (succeeded(parser.parseOptionalKeyword("of")) &&
      parser.parseInteger(source))
    return failure();
  if (source < 0 || first < 0 || first + (count - 1) * step < 0)
    return parser.emitError(loc, "expects rows and sources that are not "
                                 "negative");
  appendLoop(code, count, step, {int64_t(kRow), source, first});
  return success();
}

static ParseResult parseItems(AsmParser &parser, Code &code) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("_"))) {
      code.push_back(kNone);
      return success();
    }
    if (succeeded(parser.parseOptionalLSquare()))
      return parseLoop(parser, code);
    return parseRows(parser, code);
  });
}

Attribute RowTableAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Code code;
  if (parser.parseLess() || parseItems(parser, code) || parser.parseGreater())
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
