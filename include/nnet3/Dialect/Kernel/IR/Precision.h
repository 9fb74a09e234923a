//===- Precision.h - Number formats of matmuls ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_PRECISION_H
#define NNET3_DIALECT_KERNEL_IR_PRECISION_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnet3/Dialect/Kernel/IR/KernelEnums.h.inc"

namespace mlir::nnet3::kernel {

inline llvm::StringRef getPrecisionName(Precision precision) {
  return stringifyPrecision(precision);
}

/// The precision called `name`, if there is one.
inline std::optional<Precision> parsePrecision(llvm::StringRef name) {
  return symbolizePrecision(name);
}

/// Whether matmuls on CPUs, or on GPUs, support `precision`.
inline bool isForCpu(Precision precision) {
  return precision != Precision::TF32;
}
/// Whether values are integers, which need scales.
inline bool hasIntegers(Precision precision) {
  return precision == Precision::Int8 || precision == Precision::Int16;
}
inline bool isForGpu(Precision precision) { return !hasIntegers(precision); }

/// Whether values are 16-bit floats in memory.
inline bool hasHalves(Precision precision) {
  return precision == Precision::BF16 || precision == Precision::FP16;
}

/// Whether CPUs also convert the input rows. With fp16, only the weights are
/// converted, and the matmul is computed in f32.
inline bool convertsRows(Precision precision) {
  return precision == Precision::BF16 || hasIntegers(precision);
}

/// Number of values in a 32-bit word, the unit that kernels load.
inline int64_t getNumbersPerWord(Precision precision) {
  if (hasHalves(precision) || precision == Precision::Int16)
    return 2;
  return precision == Precision::Int8 ? 4 : 1;
}

/// The precision of one component.
struct ComponentPrecision {
  llvm::StringRef name;
  Precision precision;
  /// The error of the network's output with only this component in this
  /// precision, if it was measured.
  std::optional<double> error;
};

/// Parses "NAME:PRECISION" or "NAME:PRECISION:ERROR".
inline std::optional<ComponentPrecision>
parseComponentPrecision(llvm::StringRef text) {
  std::optional<double> error;
  if (double value; text.count(':') == 2) {
    auto [choice, number] = text.rsplit(':');
    if (number.getAsDouble(value) || !(value >= 0))
      return std::nullopt;
    error = value;
    text = choice;
  }
  auto [name, precision] = text.rsplit(':');
  auto known = parsePrecision(precision);
  if (name.empty() || !known)
    return std::nullopt;
  return ComponentPrecision{name, *known, error};
}

/// The precision of the matmuls of a network.
struct MatmulPrecision {
  MatmulPrecision(Precision precision = Precision::F32,
                  std::vector<std::string> components = {})
      : precision(precision), components(std::move(components)) {}

  Precision precision; ///< of large matmuls
  /// Components with another precision, in the form that
  /// parseComponentPrecision() parses.
  std::vector<std::string> components;
};

} // namespace mlir::nnet3::kernel

namespace mlir::nnet3 {
using kernel::convertsRows;
using kernel::getNumbersPerWord;
using kernel::getPrecisionName;
using kernel::hasHalves;
using kernel::hasIntegers;
using kernel::isForCpu;
using kernel::isForGpu;
using kernel::MatmulPrecision;
using kernel::parseComponentPrecision;
using kernel::parsePrecision;
using kernel::Precision;
} // namespace mlir::nnet3

#endif // NNET3_DIALECT_KERNEL_IR_PRECISION_H
