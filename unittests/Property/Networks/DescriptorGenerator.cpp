//===- DescriptorGenerator.cpp - Random descriptor trees ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkGenerator.h"

#include <map>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Collects the scale of every node in part `part`; returns false if a node has
/// two.
static bool collectScales(const Expr &expr, int part, float alpha,
                          std::map<std::string, float> &scales) {
  if (expr.kind == Expr::Node) {
    auto [it, inserted] = scales.try_emplace(expr.node.name, alpha);
    return inserted || it->second == alpha;
  }
  if (expr.kind == Expr::Scale)
    alpha *= expr.alpha;
  for (const Expr &arg : expr.args) {
    if (expr.kind == Expr::Append && part >= arg.numParts()) {
      part -= arg.numParts();
      continue;
    }
    if (!collectScales(arg, part, alpha, scales))
      return false;
    if (expr.kind == Expr::Append)
      break;
  }
  return true;
}

static bool hasOneScalePerNode(const Expr &expr) {
  for (int part = 0; part < expr.numParts(); ++part) {
    std::map<std::string, float> scales;
    if (!collectScales(expr, part, 1, scales))
      return false;
  }
  return true;
}

Expr DescriptorGenerator::leaf(int dim, Around around) {
  if (!around.inSwitch && random.chance(0.08))
    return constant(around.conditional ? 0.0f : float(random.real(-1, 1)), dim);
  std::vector<NodeRef> fitting;
  for (const NodeRef &node : nodes)
    if (node.dim == dim)
      fitting.push_back(node);
  return random.pick(fitting);
}

Expr DescriptorGenerator::tree(const std::vector<int> &dims, int depth,
                               Around around) {
  static const std::vector<float> scales = {-1, 0.5, 2, 1};
  if (dims.size() > 1 && (depth <= 1 || random.chance(0.4))) {
    // Cut the parts in two.
    size_t cut = random.between(1, int(dims.size()) - 1);
    auto middle = dims.begin() + cut;
    int next = std::max(depth - 1, 1);
    return append({tree({dims.begin(), middle}, next, around),
                   tree({middle, dims.end()}, next, around)});
  }
  if (depth <= 1)
    return leaf(dims.front(), around);
  --depth;
  Around conditional = around, scaled = around, switched = around;
  conditional.conditional = scaled.scaled = switched.inSwitch = true;
  switch (random.between(0, around.inSwitch ? 7 : 12)) {
  case 0:
  case 1:
    return offset(tree(dims, depth, around), random.between(-3, 3),
                  usesX && random.chance(0.3) ? random.between(-1, 1) : 0);
  case 2:
    return Expr(Expr::Round, {tree(dims, depth, around)}, random.between(1, 4));
  case 3:
    if (usesX && random.chance(0.5))
      return Expr(Expr::ReplaceX, {tree(dims, depth, around)},
                  random.between(0, 1));
    return Expr(Expr::ReplaceT, {tree(dims, depth, around)},
                random.between(-2, 2));
  case 4:
    return scale(random.pick(scales), tree(dims, depth, scaled));
  case 5:
  case 6: {
    if (around.scaled)
      return tree(dims, depth, around);
    std::vector<Expr> cases;
    int count = random.between(1, 3);
    // A Switch of one argument may be of sums.
    for (int i = 0; i < count; ++i)
      cases.push_back(tree(dims, depth, count > 1 ? switched : around));
    return Expr(Expr::Switch, std::move(cases));
  }
  case 7:
    return tree(dims, 1, around);
  case 8:
  case 9: {
    std::vector<Expr> terms;
    for (int i = 0, count = random.between(1, 3); i < count; ++i)
      terms.push_back(tree(dims, depth, around));
    return sum(std::move(terms));
  }
  case 10:
    return ifDefined(tree(dims, depth, conditional));
  default:
    return failover(tree(dims, depth, conditional),
                    tree(dims, depth, conditional));
  }
}

Expr DescriptorGenerator::generate(int numParts, int depth) {
  while (true) {
    std::vector<int> dims;
    for (int i = 0; i < numParts; ++i)
      dims.push_back(random.pick(nodes).dim);
    Expr expr = tree(dims, depth, {});
    if (hasOneScalePerNode(expr))
      return expr;
  }
}
