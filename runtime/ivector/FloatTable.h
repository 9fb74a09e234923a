//===- FloatTable.h - Large tables of floats --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_FLOATTABLE_H
#define NNET3_RUNTIME_IVECTOR_FLOATTABLE_H

#include "nnet3/runtime/AlignedMemory.h"

#include <new>

namespace nnet3 {
namespace rt {

/// A table with random accesses in each frame; in huge pages if the system
/// supports them.
class FloatTable {
public:
  /// Throws std::bad_alloc.
  void resize(int64_t size) {
    bytes = AlignedBytes(size * sizeof(float));
    if (!bytes.data())
      throw std::bad_alloc();
  }
  float *data() const { return reinterpret_cast<float *>(bytes.data()); }

private:
  AlignedBytes bytes;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_FLOATTABLE_H
