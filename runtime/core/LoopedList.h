//===- LoopedList.h - Lists of integers written as loops --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and libraries keep tables of rows and lists of indexes as loops, so
// that their size does not depend on the number of sequences. The code of a
// list is a sequence of items in prefix form:
//
//   0, value                            the value
//   1                                   -1, which no loop changes
//   2, count, stride, length, items...  the items in the next `length` words,
//                                       `count` times, each time with values
//                                       that are `stride` larger
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_LOOPEDLIST_H
#define NNET3_RUNTIME_CORE_LOOPEDLIST_H

#include "flatbuffers/flatbuffers.h"

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// The code of a list in a buffer; null is an empty list.
using ListCode = flatbuffers::Vector<int32_t>;

/// How many entries \p code lists; -1 if it is malformed, or lists 2^31 or
/// more. Takes time proportional to the code.
int64_t countEntries(const ListCode *code);

/// Writes the entries of well-formed \p code to \p entries. False if one of
/// them is no 32-bit integer.
bool listEntries(const ListCode *code, std::vector<int32_t> &entries);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_LOOPEDLIST_H
