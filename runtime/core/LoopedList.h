//===- LoopedList.h - Lists of integers written as loops --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and libraries store row tables and lists of indexes as loops, so
// that their size does not depend on the number of sequences. The code of a
// list is a sequence of items in prefix form:
//
//   0, value                            the value
//   1                                   -1, in all iterations of loops
//   2, count, stride, length, items...  repeats the items in the next `length`
//                                       words `count` times; values grow by
//                                       `stride` in each iteration
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

/// Returns the number of entries of \p code; -1 if it is malformed or has 2^31
/// entries or more. Takes time proportional to the size of the code.
int64_t countEntries(const ListCode *code);

/// Writes the entries of well-formed \p code to \p entries. Returns false if an
/// entry exceeds 32 bits.
bool listEntries(const ListCode *code, std::vector<int32_t> &entries);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_LOOPEDLIST_H
