//===- RecurrentNetworks.cpp - Families with recurrences ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkBuilder.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Adds a simple recurrence with steps of `step` frames.
NodeRef NetworkBuilder::recurrence(const Expr &in, int dim, int step,
                                   const std::string &id) {
  NodeRef affine = layers.affine(in, dim);
  NodeRef state{"state" + id, dim};
  NodeRef back = layers.affine(offset(state, step), dim, "back" + id);
  Expr optional =
      random.chance(0.7) ? ifDefined(back) : failover(back, constant(0, dim));
  return layers.simple("tanh", sum({affine, optional}), state.name);
}

void NetworkBuilder::recurrent() {
  Expr in = features();
  NodeRef state =
      recurrence(spliced(in, offsets(-2, 1)), dim(), -random.between(1, 3), "");
  output("output", layers.affine(spliced(state, offsets(-1, 1)), dim()));
}

void NetworkBuilder::bidirectional() {
  Expr in = features();
  int step = random.between(1, 3);
  NodeRef left = recurrence(in, dim(), -step, "left");
  NodeRef right = recurrence(in, dim(), step, "right");
  Expr both = append({left, right});
  if (random.chance(0.4)) {
    NodeRef hidden = layers.affine(both, dim());
    both = append({recurrence(hidden, dim(), -1, "left2"),
                   recurrence(hidden, dim(), 1, "right2")});
  }
  output("output", layers.affine(both, dim()));
}

void NetworkBuilder::clockwork() {
  NodeRef in = input("input");
  int period = random.between(2, 3), width = dim();
  NodeRef state = recurrence(in, width, -period, "");
  std::vector<Expr> cases;
  for (int i = 0; i < period; ++i) {
    int t = i <= period / 2 ? -i : period - i;
    cases.push_back(offset(layers.affine(offset(state, t), width), -t));
  }
  // Every frame sees the state of the nearest multiple of the period.
  NodeRef last = layers.affine(Expr(Expr::Round, {Expr(state)}, period), width);
  output("output", random.chance(0.5)
                       ? Expr(Expr::Switch, std::move(cases))
                       : sum({Expr(last), Expr(Expr::Switch, cases)}));
}

/// An LSTM with peepholes and projection, made of elementwise products.
void NetworkBuilder::lstm() {
  Expr in = features();
  int cell = dim(4), delay = random.between(1, 3);
  int recurrent = random.between(1, cell);
  NodeRef c{"c", cell}, r{"r", recurrent};
  Expr previous = random.chance(0.5)
                      ? ifDefined(offset(c, -delay))
                      : failover(offset(c, -delay), constant(0, cell));
  Expr inputs = append({in, ifDefined(offset(r, -delay))});
  auto gate = [&](const Expr &peephole, const std::string &op) {
    NodeRef part = layers.affine(inputs, cell);
    return layers.simple(op,
                         sum({Expr(part), Expr(layers.peephole(peephole))}));
  };
  NodeRef i = gate(previous, "sigmoid"), f = gate(previous, "sigmoid");
  NodeRef g = layers.simple("tanh", layers.affine(inputs, cell));
  NodeRef kept = layers.product(append({Expr(f), previous}), cell);
  NodeRef added = layers.product(append({Expr(i), Expr(g)}), cell);
  Expr total = sum({Expr(kept), Expr(added)});
  if (random.chance(0.5))
    layers.simple("no_op", total, "c");
  else
    layers.clipGradient(total, "c");
  NodeRef o = gate(c, "sigmoid");
  NodeRef m =
      layers.product(append({Expr(o), Expr(layers.simple("tanh", c))}), cell);
  NodeRef projected = layers.affine(m, random.between(recurrent, cell));
  NodeRef slice = text.addDimRange("slice", projected, 0, recurrent);
  layers.truncation(slice, "r");
  output("output", layers.affine(projected, dim()));
}

void NetworkBuilder::fastLstm() {
  Expr in = features();
  int cell = dim(4), delay = random.between(1, 3);
  NodeRef rc{"rc", 2 * cell}, m{"m", 2 * cell}, state{"state", cell};
  bool dropout = random.chance(0.3);
  Expr inputs = append({in, ifDefined(offset(NodeRef{"r", cell}, -delay))});
  NodeRef affine = layers.affine(inputs, 4 * cell);
  Expr gates = append({affine, ifDefined(offset(state, -delay))});
  if (dropout)
    gates =
        append({gates, constant(0.5f, 1), constant(1, 1), constant(0.7f, 1)});
  layers.lstmNonlinearity(gates, cell, dropout, "m");
  NodeRef c = text.addDimRange("c_slice", m, 0, cell);
  NodeRef out = text.addDimRange("m_slice", m, cell, cell);
  layers.truncation(append({out, c}), "rc");
  text.addDimRange("r", rc, 0, cell);
  text.addDimRange("state", rc, cell, cell);
  output("output", layers.affine(spliced(out, offsets(-1, 1)), dim()));
}

/// Nodes that read each other at earlier and later times; some such networks
/// are not computable.
void NetworkBuilder::tangled() {
  NodeRef in = input("input");
  int width = dim(3), count = random.between(1, 3);
  std::vector<NodeRef> nodes;
  for (int i = 0; i < count; ++i)
    nodes.push_back({"tangled" + std::to_string(i), width});
  for (const NodeRef &node : nodes) {
    std::vector<Expr> terms = {
        layers.affine(spliced(in, offsets(-1, 1)), width)};
    for (int i = 0, end = random.between(1, 2); i < end; ++i) {
      Expr other = offset(scale(0.5, random.pick(nodes)),
                          random.chance(0.8) ? -random.between(0, 2)
                                             : random.between(1, 2));
      if (random.chance(0.8))
        other = random.chance(0.5) ? ifDefined(other)
                                   : failover(other, constant(0, width));
      terms.push_back(other);
    }
    layers.simple(random.chance(0.5) ? "tanh" : "sigmoid", sum(terms),
                  node.name);
  }
  output("output", spliced(nodes.front(), offsets(-1, 1)));
}
