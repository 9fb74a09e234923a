//===- DeviceConverter.h - Commands as kernels of a device ------*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H

#include "CommandConverter.h"

namespace mlir::nnet3 {

/// Makes parallel kernels of the commands, and products for a device's library
/// of the affine ones. Rows that a product cannot read where they are, and sums
/// that may not be in the output yet, have room at the beginning of the arena.
class DeviceConverter : public CommandConverter {
public:
  DeviceConverter(ComputationOp computation, KernelModule &module);

private:
  void convertAffine(FusedAffineOp op) override;
  void addProduct(PropagateOp op, AffineKernelInterface affine,
                  int64_t factor) override;
  LogicalResult convertOther(PropagateOp op) override;
  int64_t getScratch(int64_t) override { return 0; }
  /// Nothing has to be zero.
  void begin() override {}

  void addProduct(FusedAffineOp op, unsigned input, float beta, int64_t sums,
                  int64_t sumsStride);
  void addEpilogue(FusedAffineOp op, int64_t sums, int64_t sumsStride,
                   bool withInit);
  int64_t gather(FusedAffineOp op, unsigned input);
  int64_t getBias(FusedAffineOp op);
  bool sharesMemory(Value a, Value b) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DEVICECONVERTER_H
