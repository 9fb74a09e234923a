//===- IndexesAttr.cpp - Ordered lists of Indexes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of rows of a request, to limit what a short text can make us
/// allocate.
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

/// Returns the distinct values of one variable in order of first appearance.
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
  // Only lists can have blank rows.
  bool isProduct = !rows.empty() &&
                   n.size() * t.size() * x.size() == rows.size() &&
                   !llvm::is_contained(t, kNoTime);
  if (isProduct) {
    for (RowOrder order : {RowOrder::NT, RowOrder::TN, RowOrder::TXN}) {
      size_t i = 0;
      bool same = true;
      forEachIndex(order, n, t, x,
                   [&](Index index) { same &= rows[i++] == index; });
      if (same)
        return get(context, ArrayRef<int32_t>(n), ArrayRef<int32_t>(t),
                   ArrayRef<int32_t>(x), order, ArrayRef<int32_t>());
    }
  }
  SmallVector<int32_t> list;
  for (const Index &row : rows)
    llvm::append_values(list, row.n, row.t, row.x);
  return get(context, {}, {}, {}, RowOrder::NT, ArrayRef<int32_t>(list));
}

/// Returns the smallest of `values` that occurs twice.
template <typename T>
static std::optional<T> findDuplicate(std::vector<T> values) {
  llvm::sort(values);
  auto it = std::adjacent_find(values.begin(), values.end());
  return it == values.end() ? std::nullopt : std::optional<T>(*it);
}

static LogicalResult verifyTime(function_ref<InFlightDiagnostic()> emitError,
                                int32_t t) {
  // The values up to kNoTime + 1 are special keys in hash tables of Indexes.
  if (t <= kNoTime + 1)
    return emitError() << "expects t above " << kNoTime + 1 << ", but got "
                       << t;
  return success();
}

static LogicalResult verifyList(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int32_t> list) {
  std::vector<Index> rows;
  rows.reserve(list.size() / 3);
  for (size_t i = 0; i + 2 < list.size(); i += 3) {
    Index index{list[i], list[i + 1], list[i + 2]};
    if (index.isBlank())
      continue;
    if (failed(verifyTime(emitError, index.t)))
      return failure();
    rows.push_back(index);
  }
  if (std::optional<Index> index = findDuplicate(std::move(rows))) {
    std::string text;
    llvm::raw_string_ostream(text) << *index;
    return emitError() << "index " << text << " is listed twice";
  }
  return success();
}

LogicalResult IndexesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int32_t> n, ArrayRef<int32_t> t,
                                  ArrayRef<int32_t> x, RowOrder,
                                  ArrayRef<int32_t> list) {
  if (!list.empty())
    return verifyList(emitError, list);
  for (int32_t time : t)
    if (failed(verifyTime(emitError, time)))
      return failure();
  for (auto [name, values] :
       {std::pair<StringRef, ArrayRef<int32_t>>{"n", n}, {"t", t}, {"x", x}}) {
    if (values.empty())
      return emitError() << "expects at least one value of " << name;
    if (std::optional<int32_t> value =
            findDuplicate(std::vector<int32_t>(values)))
      return emitError() << name << " = " << *value << " is listed twice";
  }
  return success();
}

/// Parses `a`, `a:b` or `a:b:step` and appends the values.
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
    return parser.emitError(loc, "expects at most ") << kMaxRows << " values";
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
  // Each has at most kMaxRows values, so the products do not overflow.
  if (int64_t(n.size()) * int64_t(t.size()) > kMaxRows ||
      int64_t(n.size()) * int64_t(t.size()) * int64_t(x.size()) > kMaxRows) {
    parser.emitError(loc, "expects at most ") << kMaxRows << " rows";
    return {};
  }
  return parser.getChecked<IndexesAttr>(
      loc, parser.getContext(), ArrayRef<int32_t>(n), ArrayRef<int32_t>(t),
      ArrayRef<int32_t>(x), order, ArrayRef<int32_t>(list));
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
