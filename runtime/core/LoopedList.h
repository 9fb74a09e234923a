//===- LoopedList.h - Lists written as loops in a buffer --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_LOOPEDLIST_H
#define NNET3_RUNTIME_CORE_LOOPEDLIST_H

#include "nnet3/runtime/LoopedList.h"

#include "flatbuffers/flatbuffers.h"

namespace nnet3 {
namespace rt {

/// The code of a list in a buffer; null is an empty list.
using ListCode = flatbuffers::Vector<int32_t>;

inline int64_t countEntries(const ListCode *code) {
  return code ? countEntries(code->data(), code->size()) : 0;
}

/// Sets \p entries to those of well-formed \p code. False if one of them is no
/// 32-bit integer.
inline bool listEntries(const ListCode *code, std::vector<int32_t> &entries) {
  entries.clear();
  return !code || listEntries(code->data(), code->size(), entries);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_LOOPEDLIST_H
