//===- CpuAffine.h - Affine commands as CPU matmuls -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_CPUAFFINE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_CPUAFFINE_H

#include "AffineConverter.h"

namespace mlir::nnet3 {

/// Converts to `kernel.gemm` on packed weights.
class CpuAffineConverter : public AffineConverter {
public:
  using AffineConverter::AffineConverter;
  void convert(FusedAffineOp op) override;
  void addProduct(PropagateOp op, AffineKernelInterface affine,
                  int64_t numFactors, int64_t factors, RowSpan rows) override;

private:
  Value createPanels(GemmShape &shape, ComponentOpInterface component,
                     SymbolRefAttr folded, const WeightFormat &format);
  Value createInput(FusedAffineOp op, unsigned number, int64_t first,
                    GemmShape &shape);
  void addReducedViews(FusedAffineOp op, const GemmShape &shape,
                       ArrayRef<ColumnRange> used, GemmViews &views);
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_CPUAFFINE_H
