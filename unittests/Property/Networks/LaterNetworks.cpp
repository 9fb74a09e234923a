//===- LaterNetworks.cpp - Families added later ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkBuilder.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Convolution and pooling within rows, and affine maps of their blocks.
void NetworkBuilder::images() {
  Expr in = spliced(features(), offsets(-1, 1));
  ImageDims image = {random.between(1, 4), random.between(1, 3),
                     random.between(1, 2)};
  NodeRef x = layers.affine(in, image.size());
  if (random.chance(0.8))
    x = layers.convolution(x, image);
  if (random.chance(0.5))
    x = layers.nonlinearity(x);
  if (random.chance(0.7))
    x = layers.maxpooling(x, image);
  if (random.chance(0.8))
    x = layers.blocks(x, layers.divisor(x.dim), random.between(1, 3));
  if (random.chance(0.4))
    x = layers.pnorm(x);
  output("output", random.chance(0.5) ? x : layers.affine(x, dim()));
}

/// Nodes that need no input or ignore it.
void NetworkBuilder::sources() {
  Expr in = spliced(features(), offsets(-1, 1));
  int width = dim();
  NodeRef hidden = layers.nonlinearity(layers.affine(in, width));
  NodeRef masked =
      layers.product(append({Expr(hidden), Expr(layers.source(width))}), width);
  NodeRef constant = layers.constantFunction(
      offset(hidden, random.between(-1, 1)), random.between(1, 4));
  std::vector<Expr> parts = {masked, constant, offset(layers.source(dim()), 2)};
  random.shuffle(parts);
  parts.resize(random.between(1, 3));
  output("output", random.chance(0.5)
                       ? append(parts)
                       : Expr(layers.affine(append(parts), dim())));
}

/// A GRU with or without projection, or with an output gate.
void NetworkBuilder::gru() {
  Expr in = features();
  int cell = dim(4), delay = random.between(1, 3);
  int recurrent = random.between(0, cell);
  NodeRef c{"c", cell}, y{"y", 2 * cell};
  Expr previous = random.chance(0.5)
                      ? ifDefined(offset(c, -delay))
                      : failover(offset(c, -delay), constant(0, cell));
  Expr inputs = append({in, previous});
  auto gate = [&](int width) {
    return layers.simple("sigmoid", layers.affine(inputs, width));
  };
  std::vector<Expr> parts = {gate(cell)};
  if (recurrent > 0)
    parts.push_back(gate(recurrent));
  parts.push_back(layers.affine(in, cell));
  parts.push_back(previous);
  NodeRef s{"s", recurrent};
  if (recurrent > 0 && recurrent < cell)
    parts.push_back(ifDefined(offset(s, -delay)));
  layers.gruNonlinearity(append(parts), cell, recurrent, y.name);
  text.addDimRange(c.name, y, cell, cell);
  if (recurrent > 0 && recurrent < cell)
    layers.affine(c, recurrent, s.name);
  output("output", layers.affine(spliced(c, offsets(-1, 1)), dim()));
}
