//===- SequenceBuilder.cpp - Which kernels are a sequence -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SequenceBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Most places of a sequence: parameters of a function of a device have room
/// for hundreds, but each is read by all threads.
static constexpr size_t kMostPlaces = 16;
/// Most columns whose sums a thread computes at once: each takes registers for
/// what is loaded.
static constexpr int64_t kMostBlocks = 4;

/// The rows of a kernel without tables: those that are written first.
SmallVector<SequenceBuilder::Rows>
SequenceBuilder::getRows(const RowKernel &kernel, ArrayRef<int64_t> places) {
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

/// The rows of the product of the sequence, whose places are all that there
/// are, as blocks of so many columns: those that are written first.
SmallVector<SequenceBuilder::Rows>
SequenceBuilder::getProductRows(int64_t columns) const {
  const EpilogueKernel &product = *sequence.product;
  const int64_t blocks = product.columns / columns;
  const unsigned numAdded =
      product.initStride.has_value() + product.residualStride.has_value();
  SmallVector<Rows> result;
  for (int64_t place : ArrayRef(places).take_back(1 + numAdded))
    result.push_back({place, product.columns, /*rows=*/1, columns, blocks,
                      /*isWritten=*/result.empty()});
  for (auto [i, depth] : llvm::enumerate(product.depths))
    result.push_back({places[2 * i + 1], depth, /*rows=*/1, depth, /*blocks=*/1,
                      /*isWritten=*/false, /*isWhole=*/true});
  return result;
}

/// Whether no element is in both, or each is in the same row, and in the same
/// column of a block, of both.
bool SequenceBuilder::areApartOrAligned(const Rows &a, const Rows &b) {
  if (a.end() <= b.begin() || b.end() <= a.begin())
    return true;
  if (a.isWhole || b.isWhole || (a.rows > 1 && a.stride != b.stride))
    return false;
  // Blocks of one are blocks of the other, or beside them in the same rows.
  const int64_t distance = b.place - a.place;
  return distance % a.columns == 0 &&
         (a.rows == 1 ||
          std::max(distance + b.blocks * b.columns, a.blocks * a.columns) -
                  std::min<int64_t>(distance, 0) <=
              a.stride);
}

/// Whether each element of the output is computed from those in the same row
/// and in the same column of a block.
static bool isSimple(const RowKernel &kernel) {
  BlockKernelInterface blocks = kernel.blocks;
  return kernel.destStride &&
         (kernel.sourceStride || kernel.operation == RowOperation::Fill) &&
         !(blocks && blocks.getNumScalars());
}

/// Whether the shape of `kernel` is that of the others.
bool SequenceBuilder::fits(const RowKernel &kernel) const {
  if (!sequence.kernels.empty()) {
    const RowKernel &first = sequence.kernels[0];
    return kernel.rows == first.rows && kernel.columns == first.columns &&
           kernel.width == first.width;
  }
  return sequence.product && kernel.rows == 1 && kernel.width == 1 &&
         sequence.product->columns % kernel.columns == 0 &&
         sequence.product->columns / kernel.columns <= kMostBlocks;
}

void SequenceBuilder::addAccesses(ArrayRef<Rows> rows) {
  llvm::append_range(accesses, rows);
  for (int64_t block = 0; block < rows[0].blocks; ++block)
    written.push_back(rows[0].place + block * rows[0].columns);
}

/// What is in registers of the inputs of `kernel`: what has been written there
/// last.
SmallVector<std::optional<unsigned>>
SequenceBuilder::findInputs(const RowKernel &kernel,
                            ArrayRef<Rows> rows) const {
  SmallVector<std::optional<unsigned>> result;
  for (unsigned i = 0; i < kernel.getNumInputs(); ++i) {
    const bool isAddedTo = kernel.operation == RowOperation::Add && i == 1;
    const int64_t place =
        isAddedTo ? rows[0].place : rows[1].place + i * kernel.columns;
    auto known = llvm::find(llvm::reverse(written), place);
    auto &number = result.emplace_back();
    if (const unsigned after = std::distance(known, written.rend()))
      number = after - 1;
  }
  return result;
}

void SequenceBuilder::add(const RowKernel &kernel,
                          ArrayRef<int64_t> kernelPlaces) {
  const auto rows = getRows(kernel, kernelPlaces);
  sequence.known.push_back(findInputs(kernel, rows));
  sequence.kernels.push_back(kernel);
  llvm::append_range(places, kernelPlaces);
  addAccesses(rows);
}

SequenceBuilder::SequenceBuilder(const EpilogueKernel &kernel,
                                 ArrayRef<int64_t> kernelPlaces) {
  if (kernel.depths.empty())
    return;
  sequence.product = kernel;
  places = llvm::to_vector(kernelPlaces);
}

SequenceBuilder::SequenceBuilder(const RowKernel &kernel,
                                 ArrayRef<int64_t> kernelPlaces) {
  if (isSimple(kernel))
    add(kernel, kernelPlaces);
}

bool SequenceBuilder::append(const RowKernel &next,
                             ArrayRef<int64_t> kernelPlaces) {
  if (!isSimple(next) || !fits(next) ||
      places.size() + kernelPlaces.size() > kMostPlaces)
    return false;
  const bool isBehindProduct = sequence.kernels.empty();
  SmallVector<Rows> before =
      isBehindProduct ? getProductRows(next.columns) : accesses;
  for (const Rows &a : before)
    for (const Rows &b : getRows(next, kernelPlaces))
      if ((a.isWritten || b.isWritten) && !areApartOrAligned(a, b))
        return false;
  if (isBehindProduct)
    addAccesses(before);
  add(next, kernelPlaces);
  return true;
}
