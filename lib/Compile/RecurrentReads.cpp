//===- RecurrentReads.cpp - Reads within recurrences ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RecurrentReads.h"
#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<RecurrentRead>
mlir::nnet3::getRecurrentReads(const NodeTable &nodes, const NodeEpochs &epochs,
                               ArrayRef<int32_t> members) {
  SmallVector<RecurrentRead> reads;
  const int32_t epoch = epochs.epochOf[members.front()];
  for (int32_t reader : members)
    for (int64_t t = 0; t < nodes[reader].modulus; ++t) {
      SmallVector<Cindex> sources;
      getSourceRows(nodes, {reader, {0, int32_t(t), 0}}, sources);
      for (const Cindex &source : sources)
        if (epochs.epochOf[source.node] == epoch)
          reads.push_back({reader, source.node, source.index.t - t});
    }
  return reads;
}
