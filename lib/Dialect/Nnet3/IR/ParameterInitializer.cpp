//===- ParameterInitializer.cpp - Drawing initial parameters --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ParameterInitializer.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

ParameterInitializer::~ParameterInitializer() = default;

/// SplitMix64 (Steele, Lea and Flood 2014).
double ParameterInitializer::uniform() {
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return double((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

/// The polar form of Box and Muller's method.
double ParameterInitializer::normal() {
  if (hasSpare) {
    hasSpare = false;
    return spare;
  }
  double a, b, s;
  do {
    a = 2 * uniform() - 1;
    b = 2 * uniform() - 1;
    s = a * a + b * b;
  } while (s >= 1 || s == 0);
  double factor = std::sqrt(-2 * std::log(s) / s);
  spare = b * factor;
  hasSpare = true;
  return a * factor;
}

void ParameterInitializer::setNormal(Operation *op, StringRef name,
                                     ArrayRef<int64_t> shape, double mean,
                                     double stddev) {
  std::vector<float> values(ShapedType::getNumElements(shape));
  for (float &value : values)
    value = float(mean + stddev * normal());
  setTensor(op, name, shape, values);
}

void ParameterInitializer::setTensor(Operation *op, StringRef name,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, Float32Type::get(op->getContext()));
  std::string key =
      (SymbolTable::getSymbolName(op).getValue() + "." + name).str();
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(values);
  op->setAttr(name, DenseResourceElementsAttr::get(type, key, std::move(blob)));
}
