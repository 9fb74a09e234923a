//===- Moments.cpp - Measured second moments of nodes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Moments.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<Moments> Moments::read(StringRef name, Location loc) {
  Moments moments;
  if (name.empty())
    return moments;
  moments.areGiven = true;
  auto table = SequentialMatrixReader::open(name, {});
  if (!table)
    return emitFileError(loc.getContext(), table.takeError());
  while (true) {
    auto more = (*table)->next();
    if (!more)
      return emitFileError(loc.getContext(), more.takeError());
    if (!*more)
      return moments;
    const Matrix &values = (*table)->getValue();
    DoubleMatrix matrix(values.rows, values.cols);
    llvm::copy(values.data, matrix.data.begin());
    moments.matrices[(*table)->getKey()] = std::move(matrix);
  }
}

FailureOr<DoubleMatrix> Moments::get(StringRef node, int64_t dim,
                                     Location loc) const {
  if (!areGiven) {
    DoubleMatrix identity(dim, dim);
    for (int64_t i = 0; i < dim; ++i)
      identity(i, i) = 1;
    return identity;
  }
  auto found = matrices.find(node);
  if (found == matrices.end())
    return emitError(loc) << "there are no moments of node '" << node << "'";
  const DoubleMatrix &matrix = found->second;
  if (matrix.rows != dim || matrix.cols != dim)
    return emitError(loc) << "expects moments of node '" << node << "' of "
                          << dim << " x " << dim << ", but got " << matrix.rows
                          << " x " << matrix.cols;
  return matrix;
}

int64_t mlir::nnet3::countKept(int64_t count, double part, int64_t multiple) {
  const int64_t wanted =
      std::max<int64_t>(int64_t(std::ceil(part * double(count))), 1);
  return std::min((wanted + multiple - 1) / multiple * multiple, count);
}

LogicalResult mlir::nnet3::checkKept(double part, int64_t multiple,
                                     Location loc) {
  if (!(part > 0 && part <= 1))
    return emitError(loc) << "expects a part above 0 and up to 1 to keep, but "
                             "got "
                          << formatReal(float(part));
  if (multiple < 1)
    return emitError(loc) << "expects a multiple of at least 1, but got "
                          << multiple;
  return success();
}
