//===- Limit.cpp - How fast a network can be ------------------------------===//

#include "Limit.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::benchmarks;

/// Of a chunk of one sequence.
static double getFlops(StringRef name) {
  return llvm::StringSwitch<double>(name)
      .Case("tdnn", 2.80e9)
      .Case("tdnnf", 3.10e9)
      .Case("lstmp", 1.44e9)
      .Case("blstm", 0.31e9)
      .Case("cnn", 1.35e9)
      .Case("attn", 0.54e9)
      .Case("xvector", 1.01e9)
      .Default(0);
}

/// Weights from the recurrent projection to the gates, and from the cells to
/// the projection.
static double getRecurrentWeights(StringRef name) {
  return llvm::StringSwitch<double>(name)
      .Case("lstmp", 256 * 4096 + 1024 * 256)
      .Case("blstm", 64 * 1024 + 256 * 64)
      .Default(0);
}

Limit::Limit(StringRef name, int32_t sequences, ComputationOp computation)
    : flops(getFlops(name) * sequences),
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
