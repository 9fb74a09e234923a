//===- DeviceAffine.h - Affine commands as matmuls of a device --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H

#include "AffineConverter.h"
#include "ProductInputs.h"

namespace mlir::nnet3 {

/// Makes matmuls of a device's library of affine commands.
class DeviceAffineConverter : public AffineConverter {
public:
  /// With factors of products of that precision.
  DeviceAffineConverter(CommandContext &context, Precision precision)
      : AffineConverter(context), precision(precision) {}

  void convert(FusedAffineOp op) override;
  void addProduct(PropagateOp op, AffineKernelInterface affine,
                  int64_t numFactors, int64_t factors, RowSpan rows) override;

private:
  /// Where the sums of a command are.
  struct Sums {
    int64_t place = 0, stride = 0;
    /// What the output holds before is what they begin with.
    bool beginWithInit = false;
  };

  /// Commands that do the same to blocks of columns, one behind the other, such
  /// as the heights of a convolution: the first one, and how far it is from one
  /// to the next.
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
  void splice(FusedAffineOp op, const ProductInputs &inputs);
  void readInPlace(FusedAffineOp op, const ProductInputs &inputs,
                   MatrixBatch &input, MatrixBatch &output);
  kernel::MatmulOp addProduct(FusedAffineOp op, const ProductInputs &inputs,
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
  /// What is added to the sums before the steps: the init and the bias.
  SmallVector<Value> createAddends(FusedAffineOp op, bool addsInit,
                                   bool addsBias);
  /// The inputs of an epilogue behind `addends`.
  SmallVector<Value> createEpilogueInputs(FusedAffineOp op,
                                          ArrayRef<Value> addends);
  /// An element of the output, from the sum and elements of `numAddends`
  /// addends and of the other inputs.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, ValueRange values,
                       unsigned numAddends);

  Precision precision; ///< of factors of products
  /// Those that were converted with the first of their blocks.
  DenseSet<Operation *> converted;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICE_DEVICEAFFINE_H
