//===- UpdateKernels.h - The kernels of training steps ----------*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_UPDATEKERNELS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_UPDATEKERNELS_H

#include <cstdint>

namespace mlir::nnet3 {

/// Blocks of threads of each of the kernels that nnet3-make-update-kernels
/// makes, and parts of a sum.
inline constexpr int64_t kUpdateBlocks = 128;

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_UPDATEKERNELS_H
