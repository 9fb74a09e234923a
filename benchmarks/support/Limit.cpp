//===- Limit.cpp - Lower bound of a network's time ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Limit.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

/// Returns the number of weights from the recurrent projection to the gates and
/// from the cells to the projection.
static double getRecurrentWeights(StringRef name) {
  return llvm::StringSwitch<double>(name)
      .Case("lstmp", 256 * 4096 + 1024 * 256)
      .Case("blstm", 64 * 1024 + 256 * 64)
      .Default(0);
}

Limit::Limit(StringRef name, int32_t sequences, ComputationOp computation,
             double products)
    : flops(2 * products),
      recurrentBytes(getRecurrentWeights(name) * sizeof(float)) {
  SymbolTableCollection symbols;
  computation.walk([&](PropagateOp op) {
    steps += isa<LstmNonlinearityOp>(
        symbols.lookupSymbolIn(computation->getParentOp(), op.getComponent()));
  });
  recurrentFlops = 2 * getRecurrentWeights(name) * sequences * steps;
}

double Limit::getSeconds(double peak, double bandwidth) const {
  double recurrence =
      std::max(recurrentBytes * steps / bandwidth, recurrentFlops / peak);
  return recurrence + (flops - recurrentFlops) / peak;
}
