//===- RequestReader.cpp - Requests in text form --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The largest number of rows of a matrix, as in the dialect's parser.
static constexpr int64_t kMaxRows = int64_t(1) << 24;

namespace {

/// The keys of one `input` or `output` line.
struct IoLine {
  StringRef name;
  SmallVector<int32_t> n, t, x, list;
  RowOrder order = RowOrder::NT;
  bool hasDeriv = false;
};

/// One `key=value` word.
struct Word {
  StringRef key, value;
  Location loc;
};

class RequestReader {
public:
  RequestReader(StringRef text, StringRef filename, StringRef network,
                OpBuilder &builder)
      : rest(text), filename(builder.getStringAttr(filename)), network(network),
        builder(builder) {}

  FailureOr<SmallVector<RequestOp>> read();

private:
  LogicalResult readLine(StringRef line);
  LogicalResult readIo(StringRef line, bool isInput, Location lineLoc);
  FailureOr<Word> readWord(StringRef word);
  LogicalResult readKey(const Word &word, IoLine &io);
  LogicalResult readRange(StringRef text, SmallVectorImpl<int32_t> &values);
  LogicalResult readRanges(const Word &word, SmallVectorImpl<int32_t> &values);
  LogicalResult readList(const Word &word, SmallVectorImpl<int32_t> &list);
  FailureOr<IndexesAttr> makeIndexes(const IoLine &io, Location loc);
  LogicalResult finishRequest();

  Location locate(StringRef part) {
    return FileLineColLoc::get(filename, lineNumber,
                               part.data() - lineStart + 1);
  }

  StringRef rest;
  StringAttr filename;
  StringRef network;
  OpBuilder &builder;

  unsigned lineNumber = 0;
  const char *lineStart = nullptr;
  /// The current request; null before its first line.
  RequestOp current;
  SmallVector<RequestOp> requests;
};

} // namespace

static bool isTrue(StringRef value) {
  return value == "true" || value == "True" || value == "1";
}

/// Parses a whole word as an int32.
static bool readInt(StringRef text, int32_t &value) {
  text.consume_front("+");
  return !text.getAsInteger(10, value);
}

LogicalResult RequestReader::readRange(StringRef text,
                                       SmallVectorImpl<int32_t> &values) {
  SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  int32_t first, last, step = 1;
  if (parts.size() > 3 || !readInt(parts[0], first))
    return emitError(locate(text))
           << "expects a, a:b or a:b:step, but got '" << text << "'";
  last = first;
  if ((parts.size() > 1 && !readInt(parts[1], last)) ||
      (parts.size() > 2 && !readInt(parts[2], step)))
    return emitError(locate(text))
           << "expects a, a:b or a:b:step, but got '" << text << "'";
  if (step <= 0)
    return emitError(locate(text))
           << "expects a positive step, but got " << step;
  if (last < first)
    return emitError(locate(text))
           << "expects a range that does not end before it begins, but got '"
           << text << "'";
  if ((int64_t(last) - first) / step + int64_t(values.size()) >= kMaxRows)
    return emitError(locate(text)) << "range '" << text << "' is too long";
  for (int64_t value = first; value <= last; value += step)
    values.push_back(int32_t(value));
  return success();
}

LogicalResult RequestReader::readRanges(const Word &word,
                                        SmallVectorImpl<int32_t> &values) {
  SmallVector<StringRef> parts;
  word.value.split(parts, ',');
  for (StringRef part : parts)
    if (failed(readRange(part, values)))
      return failure();
  return success();
}

LogicalResult RequestReader::readList(const Word &word,
                                      SmallVectorImpl<int32_t> &list) {
  SmallVector<StringRef> entries;
  StringRef text = word.value;
  text.consume_back(";");
  text.split(entries, ';');
  for (StringRef entry : entries) {
    SmallVector<StringRef, 3> parts;
    entry.split(parts, '/');
    int32_t n, t, x;
    if (parts.size() != 3 || !readInt(parts[0], n) || !readInt(parts[1], t) ||
        !readInt(parts[2], x))
      return emitError(locate(entry))
             << "expects an index n/t/x, but got '" << entry << "'";
    llvm::append_values(list, n, t, x);
  }
  return success();
}

/// Parses `key=value`, both not empty.
FailureOr<Word> RequestReader::readWord(StringRef word) {
  auto [key, value] = word.split('=');
  if (key.empty() || value.empty())
    return emitError(locate(word))
           << "expects key=value, but got '" << word << "'";
  return Word{key, value, locate(word)};
}

LogicalResult RequestReader::readKey(const Word &word, IoLine &io) {
  if (word.key == "name") {
    io.name = word.value;
    return success();
  }
  if (word.key == "has-deriv") {
    io.hasDeriv = isTrue(word.value);
    return success();
  }
  if (word.key == "n")
    return readRanges(word, io.n);
  if (word.key == "t")
    return readRanges(word, io.t);
  if (word.key == "x")
    return readRanges(word, io.x);
  if (word.key == "indexes")
    return readList(word, io.list);
  if (word.key != "order")
    return emitError(word.loc) << "unknown key '" << word.key << "'";
  auto order = llvm::StringSwitch<std::optional<RowOrder>>(word.value)
                   .Case("nt", RowOrder::NT)
                   .Case("tn", RowOrder::TN)
                   .Case("txn", RowOrder::TXN)
                   .Default(std::nullopt);
  if (!order)
    return emitError(word.loc)
           << "expects order nt, tn or txn, but got '" << word.value << "'";
  io.order = *order;
  return success();
}

FailureOr<IndexesAttr> RequestReader::makeIndexes(const IoLine &io,
                                                  Location loc) {
  auto emit = [&] { return emitError(loc); };
  MLIRContext *context = builder.getContext();
  IndexesAttr indexes;
  if (!io.list.empty()) {
    indexes = IndexesAttr::getChecked(emit, context, ArrayRef<int32_t>(),
                                      ArrayRef<int32_t>(), ArrayRef<int32_t>(),
                                      RowOrder::NT, ArrayRef<int32_t>(io.list));
    if (!indexes)
      return failure();
    // A list that is a Cartesian product is stored as ranges.
    return IndexesAttr::get(context, indexes.expand());
  }
  int32_t zero = 0;
  auto orZero = [&](ArrayRef<int32_t> values) {
    return values.empty() ? ArrayRef<int32_t>(zero) : values;
  };
  ArrayRef<int32_t> n = orZero(io.n), t = orZero(io.t), x = orZero(io.x);
  if (int64_t(n.size()) * int64_t(t.size()) > kMaxRows ||
      int64_t(n.size()) * int64_t(t.size()) * int64_t(x.size()) > kMaxRows)
    return emitError(loc) << "too many rows";
  indexes = IndexesAttr::getChecked(emit, context, n, t, x, io.order,
                                    ArrayRef<int32_t>());
  if (!indexes)
    return failure();
  return indexes;
}

LogicalResult RequestReader::readIo(StringRef line, bool isInput,
                                    Location lineLoc) {
  IoLine io;
  llvm::SmallDenseSet<StringRef> seen;
  while (!(line = line.ltrim(" \t")).empty()) {
    StringRef text =
        line.take_until([](char c) { return c == ' ' || c == '\t'; });
    line = line.drop_front(text.size());
    FailureOr<Word> word = readWord(text);
    if (failed(word))
      return failure();
    if (!seen.insert(word->key).second)
      return emitError(word->loc) << "key '" << word->key << "' is given twice";
    if (failed(readKey(*word, io)))
      return failure();
  }
  if (io.name.empty())
    return emitError(lineLoc) << "expects a name";
  FailureOr<IndexesAttr> indexes = makeIndexes(io, lineLoc);
  if (failed(indexes))
    return failure();
  if (isInput)
    RequestInputOp::create(builder, lineLoc, io.name, *indexes, io.hasDeriv);
  else
    RequestOutputOp::create(builder, lineLoc, io.name, *indexes, io.hasDeriv);
  return success();
}

LogicalResult RequestReader::readLine(StringRef line) {
  line = line.split('#').first.trim(" \t\r");
  if (line.empty())
    return success();
  if (line == "---")
    return finishRequest();
  Location loc = locate(line);
  if (!current) {
    current = RequestOp::create(builder, loc, "request", network,
                                /*need_model_derivative=*/false,
                                /*store_component_stats=*/false);
    current.getBody().emplaceBlock();
  }
  StringRef first =
      line.take_until([](char c) { return c == ' ' || c == '\t'; });
  if (first == "input" || first == "output") {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&current.getBody().front());
    return readIo(line.drop_front(first.size()), first == "input", loc);
  }
  FailureOr<Word> word = readWord(line);
  if (failed(word))
    return failure();
  if (word->key == "need-model-derivative")
    current.setNeedModelDerivative(isTrue(word->value));
  else if (word->key == "store-component-stats")
    current.setStoreComponentStats(isTrue(word->value));
  else
    return emitError(loc) << "unknown item '" << word->key << "'";
  return success();
}

LogicalResult RequestReader::finishRequest() {
  if (!current)
    return emitError(FileLineColLoc::get(filename, std::max(lineNumber, 1u), 1))
           << "expects a request with at least one input and one output";
  if (failed(verify(current)))
    return failure();
  requests.push_back(current);
  current = nullptr;
  return success();
}

FailureOr<SmallVector<RequestOp>> RequestReader::read() {
  bool ok = true;
  while (ok && !rest.empty()) {
    auto [line, tail] = rest.split('\n');
    ++lineNumber;
    lineStart = line.data();
    ok = succeeded(readLine(line));
    rest = tail;
  }
  if (ok && succeeded(finishRequest())) {
    if (requests.size() > 1)
      for (auto [i, request] : llvm::enumerate(requests))
        request.setSymName("request_" + std::to_string(i + 1));
    return std::move(requests);
  }
  if (current)
    current.erase();
  for (RequestOp request : requests)
    request.erase();
  return failure();
}

namespace mlir::nnet3 {

FailureOr<SmallVector<RequestOp>> readRequests(StringRef text,
                                               StringRef filename,
                                               StringRef network,
                                               OpBuilder &builder) {
  return RequestReader(text, filename, network, builder).read();
}

} // namespace mlir::nnet3
