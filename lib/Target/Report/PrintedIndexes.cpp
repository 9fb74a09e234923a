//===- PrintedIndexes.cpp - Requests and lists as printed by Kaldi --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/PrintedForm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;
using llvm::ArrayRef;

/// The middle of longer text is left out.
static constexpr size_t kMaxLength = 200;
/// Shorter runs of integers are printed as lists.
static constexpr size_t kMinRun = 3;

std::string mlir::nnet3::shortenPrinted(std::string text) {
  if (text.size() <= kMaxLength)
    return text;
  constexpr size_t end = kMaxLength / 2;
  return text.substr(0, end) + " ... " + text.substr(text.size() - end);
}

/// Returns the length of the initial run, in which each item follows from the
/// previous one.
template <typename T, typename Follows>
static size_t getRunLength(ArrayRef<T> items, Follows follows) {
  size_t length = 1;
  while (length < items.size() && follows(items[length - 1], items[length]))
    ++length;
  return length;
}

static bool isNextTime(const Index &a, const Index &b) {
  return a.n == b.n && a.x == b.x && int64_t(a.t) + 1 == b.t;
}

static void printIndexRun(llvm::raw_ostream &os, ArrayRef<Index> run) {
  os << "(" << run.front().n << "," << run.front().t;
  if (run.size() > 1)
    os << ":" << run.back().t;
  if (run.front().x != 0)
    os << "," << run.front().x;
  os << ")";
}

std::string mlir::nnet3::printIndexes(ArrayRef<Index> indexes) {
  if (indexes.empty())
    return "[ ]";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator;
  os << "[";
  while (!indexes.empty()) {
    size_t length = getRunLength(indexes, isNextTime);
    os << separator;
    printIndexRun(os, indexes.take_front(length));
    indexes = indexes.drop_front(length);
  }
  os << "]";
  return shortenPrinted(std::move(text));
}

static void printIntegerRun(llvm::raw_ostream &os, ArrayRef<int64_t> run) {
  if (run.size() < kMinRun)
    llvm::interleaveComma(run, os);
  else if (run.front() == run.back())
    os << run.front() << "x" << run.size();
  else
    os << run.front() << ":" << run.back();
}

std::string mlir::nnet3::printIntegers(ArrayRef<int64_t> values) {
  if (values.empty())
    return "[ ]";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator;
  os << "[";
  while (!values.empty()) {
    // As in Kaldi, a run ends at the first item that breaks it, even if the run
    // is too short for a range: 2, 3, 3, 4, 4 has no range.
    size_t length = getRunLength(values, std::equal_to<int64_t>());
    if (length == 1)
      length =
          getRunLength(values, [](int64_t a, int64_t b) { return a + 1 == b; });
    os << separator;
    printIntegerRun(os, values.take_front(length));
    values = values.drop_front(length);
  }
  os << "]";
  return text;
}

/// Prints the line of an input or output.
template <typename IoOp>
static void printIo(llvm::raw_ostream &os, llvm::StringRef kind, size_t number,
                    IoOp io) {
  os << kind << "-" << number << ": name=" << io.getName()
     << ", has-deriv=" << (io.getHasDeriv() ? "true" : "false")
     << ", indexes=" << printIndexes(io.getIndexes().expand()) << "\n";
}

void mlir::nnet3::printRequest(RequestOp request, llvm::raw_ostream &os) {
  auto getText = [](bool value) { return value ? "true\n" : "false\n"; };
  os << " # Computation request:\n";
  for (auto [i, io] :
       llvm::enumerate(request.getBody().getOps<RequestInputOp>()))
    printIo(os, "input", i, io);
  for (auto [i, io] :
       llvm::enumerate(request.getBody().getOps<RequestOutputOp>()))
    printIo(os, "output", i, io);
  os << "need-model-derivative: " << getText(request.getNeedModelDerivative());
  os << "store-component-stats: " << getText(request.getStoreComponentStats());
}
