//===- RowSequence.cpp - Kernels one after the other ----------------------===//

#include "RowKernel.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// What a kernel reads or writes: blocks of columns side by side.
struct Rows {
  int64_t place, stride, rows, columns, blocks;
  bool isWritten;

  int64_t end() const { return place + (rows - 1) * stride + blocks * columns; }
};
} // namespace

/// The rows of a kernel without tables.
static SmallVector<Rows> getRows(const RowKernel &kernel,
                                 ArrayRef<int64_t> places) {
  BlockKernelInterface blocks = kernel.blocks;
  const int64_t inputs = blocks ? blocks.getNumInputBlocks() : 1;
  ArrayRef<int64_t> rest = places.drop_front(kernel.getNumVectors());
  SmallVector<Rows> result = {{rest[0], *kernel.destStride, kernel.rows,
                               kernel.columns, kernel.outputBlocks,
                               /*isWritten=*/true}};
  if (rest.size() > 1)
    result.push_back({rest[1], *kernel.sourceStride, kernel.rows,
                      kernel.columns, inputs, /*isWritten=*/false});
  return result;
}

/// Whether no element is in both, or each is in the same row, and in the same
/// column of a block, of both.
static bool areApartOrAligned(const Rows &a, const Rows &b) {
  if (a.end() <= b.place || b.end() <= a.place)
    return true;
  if (a.rows > 1 && a.stride != b.stride)
    return false;
  // Blocks of one are blocks of the other, or beside them in the same rows.
  const int64_t distance = b.place - a.place;
  return distance % a.columns == 0 &&
         (a.rows == 1 ||
          std::max(distance + b.blocks * b.columns, a.blocks * a.columns) -
                  std::min<int64_t>(distance, 0) <=
              a.stride);
}

bool RowSequence::canFollow(const RowKernel &first,
                            ArrayRef<int64_t> firstPlaces,
                            const RowKernel &next,
                            ArrayRef<int64_t> nextPlaces) {
  auto isSimple = [](const RowKernel &kernel) {
    BlockKernelInterface blocks = kernel.blocks;
    return kernel.destStride &&
           (kernel.sourceStride || kernel.operation == RowOperation::Fill) &&
           kernel.operation != RowOperation::AddRange &&
           !(blocks && blocks.getNumScalars());
  };
  if (!isSimple(first) || !isSimple(next) || first.rows != next.rows ||
      first.columns != next.columns || first.width != next.width)
    return false;
  for (const Rows &a : getRows(first, firstPlaces))
    for (const Rows &b : getRows(next, nextPlaces))
      if ((a.isWritten || b.isWritten) && !areApartOrAligned(a, b))
        return false;
  return true;
}
