//===- SelectRows.cpp - Selecting parts of examples -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SelectRows.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/OptionParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static bool isOutput(StringRef name) { return name.starts_with("output"); }

/// Returns true for matrices whose times are those of features.
static bool isSequence(const NnetIo &io) {
  return !isOutput(io.name) && io.name != "ivector";
}

/// Extends `times` to include the times of `indexes`.
static Error addTimes(StringRef name, llvm::ArrayRef<RowIndex> indexes,
                      FrameRange &times) {
  if (Error error = checkIsSingle(name, indexes))
    return error;
  for (const RowIndex &index : indexes) {
    times.first = std::min(times.first, index.t);
    times.last = std::max(times.last, index.t);
  }
  return Error::success();
}

Expected<FrameRange> mlir::nnet3::getOutputTimes(const AnyExample &example) {
  FrameRange times{std::numeric_limits<int32_t>::max(),
                   std::numeric_limits<int32_t>::min()};
  if (auto *plain = std::get_if<NnetExample>(&example)) {
    for (const NnetIo &io : plain->io)
      if (isOutput(io.name))
        if (Error error = addTimes(io.name, io.indexes, times))
          return error;
  } else {
    for (const ChainSupervision &output :
         std::get<NnetChainExample>(example).outputs)
      if (Error error = addTimes(output.name, output.indexes, times))
        return error;
  }
  if (times.first > times.last)
    return makeFileError("", "the example has no rows of an output");
  return times;
}

/// Keeps the rows with times in the range.
static Error keepTimes(NnetIo &io, FrameRange times) {
  if (Error error = checkIsSingle(io.name, io.indexes))
    return error;
  std::vector<int64_t> rows;
  std::vector<RowIndex> indexes;
  for (auto [row, index] : llvm::enumerate(io.indexes))
    if (index.t >= times.first && index.t <= times.last) {
      rows.push_back(row);
      indexes.push_back(index);
    }
  if (rows.empty())
    return makeFileError("", "'" + io.name +
                                 "' has no rows for t = " + Twine(times.first) +
                                 " to " + Twine(times.last));
  if (rows.size() == io.indexes.size())
    return Error::success();
  io.features = selectRows(io.features, rows);
  io.indexes = std::move(indexes);
  return Error::success();
}

Error mlir::nnet3::selectFrame(NnetExample &example, int32_t t) {
  for (NnetIo &io : example.io)
    if (isOutput(io.name))
      if (Error error = keepTimes(io, {t, t}))
        return error;
  return Error::success();
}

Expected<bool> mlir::nnet3::trimContext(AnyExample &example,
                                        int32_t leftContext,
                                        int32_t rightContext) {
  Expected<FrameRange> times = getOutputTimes(example);
  if (!times)
    return times.takeError();
  FrameRange wanted{std::numeric_limits<int32_t>::min(),
                    std::numeric_limits<int32_t>::max()};
  if (leftContext >= 0)
    wanted.first =
        std::max<int64_t>(wanted.first, int64_t(times->first) - leftContext);
  if (rightContext >= 0)
    wanted.last =
        std::min<int64_t>(wanted.last, int64_t(times->last) + rightContext);
  bool hasAll = true;
  for (NnetIo &io : getMatrices(example)) {
    if (!isSequence(io))
      continue;
    if (Error error = keepTimes(io, wanted))
      return error;
    auto [first, last] = std::minmax_element(
        io.indexes.begin(), io.indexes.end(),
        [](const RowIndex &a, const RowIndex &b) { return a.t < b.t; });
    hasAll &= leftContext < 0 || first->t <= wanted.first;
    hasAll &= rightContext < 0 || last->t >= wanted.last;
  }
  return hasAll;
}

static Error shiftRows(int32_t shift, std::vector<RowIndex> &indexes) {
  for (RowIndex &index : indexes) {
    const int64_t t = int64_t(index.t) + shift;
    if (t != int32_t(t))
      return optionError("option '--frame-shift': t = " + Twine(t) +
                         " does not fit in 32 bits");
    index.t = t;
  }
  return Error::success();
}

/// Rounds `shift` to a multiple of the difference of the first two times.
static int32_t roundShift(int32_t shift, llvm::ArrayRef<RowIndex> indexes) {
  const auto *next = llvm::find_if(indexes, [&](const RowIndex &index) {
    return index.t != indexes.front().t;
  });
  if (next == indexes.end())
    return shift;
  const int64_t factor = next->t - int64_t(indexes.front().t);
  return factor * std::floor(0.5 + double(shift) / factor);
}

Error mlir::nnet3::shiftFrames(AnyExample &example, int32_t shift) {
  for (NnetIo &io : getMatrices(example))
    if (io.name != "ivector")
      if (Error error = shiftRows(shift, io.indexes))
        return error;
  auto *chain = std::get_if<NnetChainExample>(&example);
  if (!chain)
    return Error::success();
  for (ChainSupervision &output : chain->outputs) {
    if (Error error = checkIsSingle(output.name, output.indexes))
      return error;
    if (Error error =
            shiftRows(roundShift(shift, output.indexes), output.indexes))
      return error;
  }
  return Error::success();
}
