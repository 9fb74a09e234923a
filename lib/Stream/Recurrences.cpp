//===- Recurrences.cpp - Backward recurrences -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrences.h"
#include "nnet3/Compile/RecurrentReads.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Relaxes the latest time that is reachable over the reads. If it grows
/// without end, a row depends on a later row of the same node; returns that
/// node, or -1.
static int32_t findEndless(const NodeTable &nodes,
                           ArrayRef<RecurrentRead> reads,
                           ArrayRef<int32_t> members) {
  DenseMap<int32_t, int64_t> latest;
  for (int32_t node : members)
    latest[node] = 0;
  int32_t changed = -1;
  for (size_t round = 0; round <= members.size(); ++round) {
    changed = -1;
    for (const RecurrentRead &read : reads) {
      const int64_t time = latest[read.reader] + read.frames;
      if (time <= latest[read.source])
        continue;
      latest[read.source] = time;
      if (nodes[read.source].kind == Node::Kind::Component || changed < 0)
        changed = read.source;
    }
    if (changed < 0)
      return -1;
  }
  return nodes[changed].isComponentInput() ? changed + 1 : changed;
}

int32_t mlir::nnet3::findBackwardRecurrence(const NodeTable &nodes) {
  const NodeEpochs epochs = computeEpochs(nodes);
  for (ArrayRef<int32_t> members : epochs.nodes) {
    if (members.size() == 1)
      continue;
    const int32_t node =
        findEndless(nodes, getRecurrentReads(nodes, epochs, members), members);
    if (node >= 0)
      return node;
  }
  return -1;
}
