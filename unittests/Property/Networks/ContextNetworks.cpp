//===- ContextNetworks.cpp - Families whose components read other rows ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkBuilder.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Means and standard deviations over time, with the frames or alone.
void NetworkBuilder::statistics() {
  Expr in = spliced(features(), offsets(-1, 1));
  NodeRef x = layers.nonlinearity(layers.affine(in, dim(3)));
  int period = 1;
  NodeRef pooled = layers.statistics(x, period);
  Expr rows = period == 1 && random.chance(0.5)
                  ? Expr(pooled)
                  : Expr(Expr::Round, {Expr(pooled)}, period);
  if (random.chance(0.5))
    rows = append({Expr(x), rows});
  output("output", random.chance(0.7) ? layers.affine(rows, dim())
                                      : layers.composite(rows, dim()));
}

/// Convolutions over time and height.
void NetworkBuilder::timeHeight() {
  Expr in = features();
  int height = random.between(1, 4), filters = random.between(1, 2);
  NodeRef x = layers.affine(in, height * filters);
  for (int i = 0, count = random.between(1, 2); i < count; ++i) {
    int heightOut = random.between(1, height);
    x = layers.timeHeightConvolution(x, height, heightOut,
                                     random.between(1, 3));
    height = heightOut;
    if (random.chance(0.5))
      x = layers.nonlinearity(x);
  }
  output("output", random.chance(0.5) ? x : layers.affine(x, dim()));
}

/// Attention, once or twice.
void NetworkBuilder::attention() {
  Expr in = features();
  NodeRef x = layers.attention(in, 4);
  if (random.chance(0.4))
    x = layers.attention(layers.nonlinearity(x), 3);
  output("output", random.chance(0.5) ? x : layers.affine(x, dim()));
}

/// Blocks of a row as separate rows, which may be joined again.
void NetworkBuilder::distributed() {
  Expr in = spliced(features(), offsets(-1, 1));
  NodeRef blocks = layers.distribute(layers.affine(in, 2 * dim(3)));
  std::vector<Expr> parts = {Expr(blocks)};
  if (random.chance(0.7))
    parts.push_back(offset(blocks, random.between(-1, 1), 1));
  output("output", layers.composite(append(parts), dim()));
}
