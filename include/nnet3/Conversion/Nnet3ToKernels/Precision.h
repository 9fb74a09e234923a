//===- Precision.h - In which numbers matrix products compute ---*- C++ -*-===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PRECISION_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PRECISION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <optional>

namespace mlir::nnet3 {

/// What the factors of matrix products are; everything else is f32.
enum class Precision {
  F32,
  BF16, ///< rounded to bf16, sums in f32
  Int8, ///< scaled to integers of 8 bits row by row, sums in i32
  TF32, ///< on GPUs: rounded to 11 bits, sums in f32
  FP16, ///< on GPUs: rounded to fp16, sums in f32
};

inline llvm::StringRef getPrecisionName(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return "f32";
  case Precision::BF16:
    return "bf16";
  case Precision::Int8:
    return "int8";
  case Precision::TF32:
    return "tf32";
  case Precision::FP16:
    return "fp16";
  }
  llvm_unreachable("unknown precision");
}

/// The precision called `name`, if there is one.
inline std::optional<Precision> parsePrecision(llvm::StringRef name) {
  for (Precision precision : {Precision::F32, Precision::BF16, Precision::Int8,
                              Precision::TF32, Precision::FP16})
    if (name == getPrecisionName(precision))
      return precision;
  return std::nullopt;
}

/// Whether a CPU, or a GPU, computes in it.
inline bool isForCpu(Precision precision) {
  return precision != Precision::TF32 && precision != Precision::FP16;
}
inline bool isForGpu(Precision precision) {
  return precision != Precision::Int8;
}

/// Whether numbers have 16 bits in memory.
inline bool hasHalves(Precision precision) {
  return precision == Precision::BF16 || precision == Precision::FP16;
}

/// How many numbers there are in 32 bits, which is what kernels load.
inline int64_t getNumbersPerWord(Precision precision) {
  if (hasHalves(precision))
    return 2;
  return precision == Precision::Int8 ? 4 : 1;
}

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PRECISION_H
