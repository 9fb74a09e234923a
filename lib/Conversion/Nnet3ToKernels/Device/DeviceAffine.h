//===- DeviceAffine.h - Affine commands as matmuls of a device --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H

#include "AffineConverter.h"
#include "MatmulInputs.h"

namespace mlir::nnet3 {

/// Converts affine commands to matmuls of a device's BLAS library.
class DeviceAffineConverter : public AffineConverter {
public:
  DeviceAffineConverter(CommandContext &context, const MatmulTarget &target)
      : AffineConverter(context), target(target) {}

  void convert(FusedAffineOp op) override;
  void addProduct(PropagateOp op, AffineKernelInterface affine,
                  int64_t numFactors, int64_t factors, RowSpan rows) override;

private:
  /// The location of the accumulators of a command.
  struct Sums {
    int64_t place = 0, stride = 0;
    /// Whether the matmul accumulates onto the output's contents.
    bool beginWithInit = false;
  };

  /// Consecutive commands that are equal up to their columns, such as the
  /// heights of a convolution: the first one, and the distance from each to the
  /// next.
  struct Blocks {
    int64_t count = 1;
    SmallVector<int64_t> inputs; ///< floats, of each input
    int64_t output = 0;
  };

  Blocks getBlocks(FusedAffineOp op);
  bool continuesBlocks(FusedAffineOp first, FusedAffineOp next,
                       const Blocks &blocks) const;
  bool areApart(FusedAffineOp first, FusedAffineOp last) const;
  Sums getSums(FusedAffineOp op);
  bool fusesBias(FusedAffineOp op, const Sums &sums);
  void splice(FusedAffineOp op, const MatmulInputs &inputs);
  void readInPlace(FusedAffineOp op, const MatmulInputs &inputs,
                   MatrixBatch &input, MatrixBatch &output);
  kernel::MatmulOp addProduct(FusedAffineOp op, const MatmulInputs &inputs,
                              const Blocks &blocks, const Sums &sums);
  bool isSingleRow(FusedAffineOp op);
  void addSingleRow(FusedAffineOp op);
  void addProducts(FusedAffineOp op, const Blocks &blocks, const Sums &sums,
                   bool fusesBias);
  void addEpilogue(FusedAffineOp op, const Blocks &blocks, const Sums &sums,
                   std::optional<kernel::Form> form, bool fusesBias);
  void gather(FusedAffineOp op, unsigned input);
  int64_t getBias(FusedAffineOp op);
  bool sharesMemory(Value a, Value b) const;
  /// Creates views of the matrices that are added to the accumulators before
  /// the steps: init and bias.
  SmallVector<Value> createAddends(FusedAffineOp op, bool addsInit,
                                   bool addsBias);
  /// Creates the inputs of an epilogue after `addends`.
  SmallVector<Value> createEpilogueInputs(FusedAffineOp op,
                                          ArrayRef<Value> addends);
  /// Computes an element of the output from the accumulator and the elements of
  /// `numAddends` addends and of the other inputs.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, ValueRange values,
                       unsigned numAddends);

  MatmulTarget target;
  /// Commands that were converted together with the first of their blocks.
  DenseSet<Operation *> converted;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H
