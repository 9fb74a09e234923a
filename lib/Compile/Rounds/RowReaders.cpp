//===- RowReaders.cpp - Which rows are read where -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowReaders.h"

using namespace mlir;
using namespace mlir::nnet3;

RowReaders::RowReaders(const ComputationGraph &graph, const StepList &list,
                       const std::vector<bool> &needed)
    : graph(graph), list(list), needed(needed),
      epochs(computeEpochs(graph.getNodes())), readOutside(list.steps.size()) {
  for (int32_t id = 0; id < graph.size(); ++id) {
    if (!graph.isKept(id))
      continue;
    const int32_t epoch = epochs.epochOf[graph.getCindex(id).node];
    for (int32_t read : graph.getDependencies(id))
      if (epochs.epochOf[graph.getCindex(read).node] != epoch)
        readOutside[list.locations[read].step] = true;
  }
}
