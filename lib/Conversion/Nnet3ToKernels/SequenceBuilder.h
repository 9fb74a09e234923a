//===- SequenceBuilder.h - Which kernels are a sequence ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_SEQUENCEBUILDER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_SEQUENCEBUILDER_H

#include "RowSequence.h"

namespace mlir::nnet3 {

/// Collects kernels that each thread may do to its part, one after the other:
/// what they have in common is read and written in the same rows and columns of
/// a block.
class SequenceBuilder {
public:
  /// Begins with `kernel`, work on rows without tables or the products of a
  /// single row; with any other one there is no sequence.
  SequenceBuilder(const RowKernel &kernel, ArrayRef<int64_t> places);
  SequenceBuilder(const EpilogueKernel &kernel, ArrayRef<int64_t> places);
  SequenceBuilder() = default;

  /// Whether `kernel` has become the next one.
  bool append(const RowKernel &kernel, ArrayRef<int64_t> places);

  bool hasSeveral() const {
    return sequence.kernels.size() + sequence.product.has_value() > 1;
  }
  const RowSequence &getSequence() const { return sequence; }
  /// Those of all kernels.
  ArrayRef<int64_t> getPlaces() const { return places; }

private:
  /// What a kernel reads or writes: blocks of columns side by side. Rows that
  /// are read may be in descending order.
  struct Rows {
    int64_t place, stride, rows, columns, blocks;
    bool isWritten;
    bool isWhole = false; ///< each thread reads all of it

    int64_t begin() const {
      return place + std::min<int64_t>(0, (rows - 1) * stride);
    }
    int64_t end() const {
      return place + std::max<int64_t>(0, (rows - 1) * stride) +
             blocks * columns;
    }
  };

  static SmallVector<Rows> getRows(const RowKernel &kernel,
                                   ArrayRef<int64_t> places);
  SmallVector<Rows> getProductRows(int64_t columns) const;
  static bool areApartOrAligned(const Rows &a, const Rows &b);
  bool fits(const RowKernel &kernel) const;
  void add(const RowKernel &kernel, ArrayRef<int64_t> kernelPlaces);
  void addAccesses(ArrayRef<Rows> rows);
  SmallVector<std::optional<unsigned>> findInputs(const RowKernel &kernel,
                                                  ArrayRef<Rows> rows) const;

  RowSequence sequence;
  SmallVector<int64_t> places;
  SmallVector<Rows> accesses;
  SmallVector<int64_t> written; ///< places of blocks
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_SEQUENCEBUILDER_H
