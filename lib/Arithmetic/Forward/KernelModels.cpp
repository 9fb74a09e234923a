//===- KernelModels.cpp - Components that have generated code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"
#include "Stages/StageModels.h"
#include "Statistics/ComponentStatistics.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::nnet3;

#include "nnet3/Arithmetic/BackwardInterface.cpp.inc"
#include "nnet3/Arithmetic/KernelInterfaces.cpp.inc"

static FailureOr<SmallVector<float>> getValues(ElementsAttr tensor) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(tensor))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      auto values = blob->getDataAs<float>();
      return SmallVector<float>(values.begin(), values.end());
    }
  auto range = tensor.tryGetValues<float>();
  if (!range)
    return failure();
  return SmallVector<float>(range->begin(), range->end());
}

FailureOr<SmallVector<float>>
mlir::nnet3::getTensorVector(Operation *op, StringRef name, int64_t size) {
  auto tensor = op->getAttrOfType<ElementsAttr>(name);
  if (!tensor)
    return failure();
  FailureOr<SmallVector<float>> values = getValues(tensor);
  if (failed(values))
    return failure();
  const size_t period = values->size();
  for (size_t i = period; i < size_t(size); ++i)
    values->push_back((*values)[i - period]);
  return values;
}

SmallVector<int64_t> mlir::nnet3::getPrecomputedRows(DictionaryAttr precomputed,
                                                     StringRef name) {
  SmallVector<int64_t> numbers;
  row_table::Cursor cursor(precomputed.getAs<RowTableAttr>(name).getCode());
  while (std::optional<RowRef> row = cursor.next())
    numbers.push_back(row->isNone() ? -1 : row->row);
  return numbers;
}

FailureOr<SmallVector<SmallVector<float>>>
mlir::nnet3::getColumnConstants(Operation *op) {
  if (auto blocks = dyn_cast<BlockKernelInterface>(op))
    return blocks.getColumnConstants();
  if (auto row = dyn_cast<RowKernelInterface>(op))
    return row.getColumnConstants();
  return cast<ElementwiseKernelInterface>(op).getColumnConstants();
}

bool mlir::nnet3::hasKernel(Operation *component, bool device) {
  if (auto staged = dyn_cast<StagedKernelInterface>(component))
    if (device && staged.hasStages(/*isBackward=*/false))
      return true;
  if (auto affine = dyn_cast<AffineKernelInterface>(component))
    if (affine.isAffine() && affine.hasFewTerms())
      return true;
  if (auto step = dyn_cast<ElementwiseKernelInterface>(component))
    return step.isElementwise();
  if (auto row = dyn_cast<RowKernelInterface>(component))
    return row.isRowKernel(device);
  return isa<BlockKernelInterface>(component);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Maximum number of terms of a block in generated code, as each is a separate
/// matmul; components with more are left to the runtime.
static constexpr size_t kMaxTerms = 64;

bool AffineKernelInterface::hasFewTerms() {
  return getTerms(0).size() <= kMaxTerms;
}

int64_t AffineKernelInterface::getWeightRows() {
  return cast<ComponentOpInterface>(getOperation()).getComponentOutputDim() /
         getNumBlocks();
}

/// Returns the name of parameter `number`; null if there are fewer parameters.
static StringAttr getParameterName(Operation *op, size_t number) {
  auto tensors = cast<ComponentOpInterface>(op).getTensors();
  return number < tensors.size() && tensors[number].isParameter
             ? StringAttr::get(op->getContext(), tensors[number].name)
             : StringAttr();
}

StringAttr AffineKernelInterface::getWeightsName() {
  return getParameterName(*this, 0);
}

StringAttr AffineKernelInterface::getBiasName() {
  return getParameterName(*this, 1);
}

int64_t AffineKernelInterface::getNumBiases() {
  return getWeightRows() * (hasWeightsPerBlock() ? getNumBlocks() : 1);
}

int64_t AffineKernelInterface::getFirstBias(int64_t column) {
  if (!hasWeightsPerBlock())
    return 0;
  return column / (getWeightColumns() / getNumBlocks()) * getWeightRows();
}

int64_t AffineKernelInterface::getWeightPlace(int64_t row, int64_t column) {
  const int64_t columns = getWeightColumns();
  if (!hasWeightsPerBlock())
    return row * columns + column;
  const int64_t width = columns / getNumBlocks();
  return (getFirstBias(column) + row) * width + column % width;
}

void mlir::nnet3::registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, Nnet3Dialect *) {
    attachAffineModels(*context);
    attachConvolutionModels(*context);
    attachElementwiseModels(*context);
    attachBlockModels(*context);
    attachRowModels(*context);
    attachPoolModels(*context);
    attachConstantModels(*context);
    attachGruModels(*context);
    attachStatisticsModels(*context);
    attachAttentionModel(*context);
    attachClippingModels(*context);
    attachScaleModels(*context);
    attachNonlinearModels(*context);
    attachAttentionStages(*context);
    attachBatchNormStages(*context);
    attachDropoutStages(*context);
    attachMaskStages(*context);
    attachAttentionStatistics(*context);
    attachBatchNormStatistics(*context);
    attachClipGradientStatistics(*context);
    attachGruStatistics(*context);
    attachLstmStatistics(*context);
    attachNonlinearStatistics(*context);
    attachTruncationStatistics(*context);
    context->loadDialect<arith::ArithDialect, math::MathDialect>();
  });
}
