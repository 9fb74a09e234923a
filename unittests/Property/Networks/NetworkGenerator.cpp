//===- NetworkGenerator.cpp - Families of random networks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkBuilder.h"

#include <algorithm>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

namespace {
struct Family {
  const char *name;
  void (NetworkBuilder::*build)();
};
} // namespace

static const Family kFamilies[] = {
    {"affine", &NetworkBuilder::affine},
    {"splice", &NetworkBuilder::splice},
    {"layered", &NetworkBuilder::layered},
    {"recurrent", &NetworkBuilder::recurrent},
    {"clockwork", &NetworkBuilder::clockwork},
    {"lstm", &NetworkBuilder::lstm},
    {"fast-lstm", &NetworkBuilder::fastLstm},
    {"bidirectional", &NetworkBuilder::bidirectional},
    {"tdnnf", &NetworkBuilder::tdnnf},
    {"columns", &NetworkBuilder::columns},
    {"descriptors", &NetworkBuilder::descriptors},
    {"tdnn-stack", &NetworkBuilder::tdnnStack},
    {"tangled", &NetworkBuilder::tangled},
    // Later ones.
    {"images", &NetworkBuilder::images},
    {"sources", &NetworkBuilder::sources},
    {"gru", &NetworkBuilder::gru},
    {"statistics", &NetworkBuilder::statistics},
    {"time-height", &NetworkBuilder::timeHeight},
    {"attention", &NetworkBuilder::attention},
    {"distributed", &NetworkBuilder::distributed},
};

/// The families that existed from the beginning.
static constexpr uint64_t kNumFirstFamilies = 13;

NodeRef NetworkBuilder::input(const std::string &name, int period) {
  NodeRef node = text.addInput(name, dim());
  network.inputs.push_back({node, period});
  return node;
}

/// Draws some of the integers from `first` to `last` in random order.
std::vector<int> NetworkBuilder::offsets(int first, int last) {
  std::vector<int> all;
  for (int t = first; t <= last; ++t)
    all.push_back(t);
  random.shuffle(all);
  all.resize(random.between(1, std::min(4, int(all.size()))));
  if (random.chance(0.7))
    std::sort(all.begin(), all.end());
  return all;
}

/// Appends `expr` at several times, some of them negated.
Expr NetworkBuilder::spliced(const Expr &expr,
                             const std::vector<int> &offsets) {
  std::vector<Expr> parts;
  for (int t : offsets) {
    Expr part = t == 0 ? expr : offset(expr, t);
    parts.push_back(random.chance(0.2) ? scale(-1, part) : part);
  }
  return parts.size() == 1 ? parts.front() : append(std::move(parts));
}

/// Appends an i-vector: one row per sequence, or one every few frames.
Expr NetworkBuilder::withIvector(const Expr &expr) {
  int period = random.chance(0.7) ? 0 : random.between(2, 4);
  NodeRef ivector = input("ivector", period);
  return append({expr, period == 0
                           ? Expr(Expr::ReplaceT, {Expr(ivector)}, 0)
                           : Expr(Expr::Round, {Expr(ivector)}, period)});
}

/// Adds the input of every frame; in training sometimes with an i-vector.
Expr NetworkBuilder::features() {
  Expr in = input("input");
  return training && random.chance(0.3) ? withIvector(in) : in;
}

//===----------------------------------------------------------------------===//
// Feed-forward families
//===----------------------------------------------------------------------===//

void NetworkBuilder::affine() {
  output("output", layers.affine(input("input"), dim()));
}

void NetworkBuilder::splice() {
  NodeRef in = input("input");
  std::vector<int> times = offsets(-5, 3);
  output("output", random.chance(0.5)
                       ? layers.tdnn(in, dim(), times)
                       : layers.affine(spliced(in, times), dim()));
}

void NetworkBuilder::layered() {
  Expr in = input("input");
  Expr splice = spliced(in, offsets(-3, 3));
  if (random.chance(training ? 0.9 : 0.6))
    splice = withIvector(splice);
  Expr hidden =
      layers.batchNorm(layers.nonlinearity(layers.affine(splice, dim())));
  switch (random.between(0, 3)) {
  case 0:
    hidden = scale(-1, hidden);
    break;
  case 1:
    hidden = sum({constant(1, hidden.dim()), scale(-1, hidden)});
    break;
  default:
    break;
  }
  NodeRef last = layers.affine(spliced(hidden, offsets(-2, 2)), dim());
  if (random.chance(0.5))
    last = layers.simple(random.chance(0.5) ? "softmax" : "log_softmax", last);
  output("output", last);
}

void NetworkBuilder::tdnnf() {
  Expr in = features();
  int width = dim(), bottleneck = std::max(1, width / 2);
  Expr x = layers.nonlinearity(layers.affine(in, width));
  for (int i = 0, count = random.between(1, 3); i < count; ++i) {
    int step = random.between(0, 3);
    std::vector<int> left = step ? std::vector<int>{-step, 0} : offsets(0, 0);
    std::vector<int> right = step ? std::vector<int>{0, step} : offsets(0, 0);
    NodeRef linear = layers.tdnn(x, bottleneck, left);
    NodeRef y = layers.batchNorm(
        layers.nonlinearity(layers.tdnn(linear, width, right)));
    NodeRef sum2 = layers.simple(
        "no_op", sum({scale(float(random.real(0.2, 0.9)), x), Expr(y)}));
    x = sum2;
  }
  output("output", layers.affine(x, dim()));
  if (random.chance(0.3))
    output("second", layers.simple("log_softmax", x));
}

void NetworkBuilder::tdnnStack() {
  NodeRef x = input("input");
  std::vector<NodeRef> all;
  for (int i = 0, count = random.between(1, 4); i < count; ++i) {
    int step = random.between(1, 3);
    std::vector<int> times = offsets(-1, 1);
    for (int &t : times)
      t *= step;
    x = layers.tdnn(x, dim(), times);
    if (random.chance(0.6))
      x = layers.elementwise(x);
    all.push_back(x);
  }
  output("output", x);
  if (random.chance(0.4))
    output("second", random.pick(all));
}

void NetworkBuilder::columns() {
  Expr in = input("input");
  int width = dim(4), blocks = random.between(2, 3);
  NodeRef wide = layers.affine(in, width * blocks);
  std::vector<NodeRef> ends = {
      layers.product(wide, width), layers.sumBlock(wide, width),
      layers.sumGroup(wide), layers.permute(wide),
      layers.normalize(layers.affine(offset(in, -1), dim()))};
  random.shuffle(ends);
  std::vector<Expr> parts;
  for (int i = 0, count = random.between(1, int(ends.size())); i < count; ++i) {
    NodeRef node = ends[i];
    for (int k = random.between(0, 2); k > 0; --k)
      node = layers.elementwise(node);
    if (node.dim > 1 && random.chance(0.3)) {
      int first = random.between(0, node.dim - 1);
      node = text.addDimRange(layers.freshName(), node, first,
                              random.between(1, node.dim - first));
    }
    parts.push_back(node);
  }
  output("output", append(std::move(parts)));
}

void NetworkBuilder::descriptors() {
  network.usesX = random.chance(0.25);
  std::vector<NodeRef> nodes;
  for (int i = 0, count = random.between(1, 3); i < count; ++i)
    nodes.push_back(input(i ? "input" + std::to_string(i) : "input"));
  auto descriptor = [&] {
    DescriptorGenerator generator(random, nodes, network.usesX);
    return generator.generate(random.between(1, 3), random.between(1, 5));
  };
  for (int i = 0, count = random.between(0, 3); i < count; ++i) {
    // A node of another layer that depends on this one at another time.
    std::string name = layers.freshName();
    Expr in = descriptor();
    if (random.chance(0.2) && in.numParts() == 1) {
      NodeRef self{name, in.dim()};
      int step =
          random.chance(0.5) ? random.between(1, 3) : -random.between(1, 3);
      in = sum({in, ifDefined(offset(scale(0.5, self), step))});
      nodes.push_back(layers.simple("tanh", in, name));
    } else if (random.chance(0.3)) {
      nodes.push_back(layers.tdnn(in, dim(), offsets(-2, 2), name));
    } else if (random.chance(0.4)) {
      nodes.push_back(layers.affine(in, dim(), name));
    } else {
      nodes.push_back(layers.elementwise(in));
    }
    const NodeRef &last = nodes.back();
    if (last.dim > 1 && random.chance(0.5)) {
      int first = random.between(0, last.dim - 1);
      nodes.push_back(text.addDimRange(name + "_part", last, first,
                                       random.between(1, last.dim - first)));
    }
  }
  output("output", descriptor());
  if (random.chance(0.4))
    output("second", descriptor());
}

//===----------------------------------------------------------------------===//
// The families
//===----------------------------------------------------------------------===//

RandomNetwork NetworkBuilder::build(int family) {
  network.family = kFamilies[family].name;
  (this->*kFamilies[family].build)();
  network.componentNodes = text.getComponentNodes();
  network.text = text.str();
  return std::move(network);
}

const std::vector<std::string> &mlir::nnet3::property::getFamilies() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Family &family : kFamilies)
      list.push_back(family.name);
    return list;
  }();
  return names;
}

int mlir::nnet3::property::getFamily(uint64_t seed) {
  uint64_t later = std::size(kFamilies) - kNumFirstFamilies;
  return seed % 4 == 1 ? kNumFirstFamilies + seed / 4 % later
                       : seed % kNumFirstFamilies;
}

RandomNetwork mlir::nnet3::property::generateNetwork(Random &random, int family,
                                                     bool training) {
  return NetworkBuilder(random, training).build(family);
}
