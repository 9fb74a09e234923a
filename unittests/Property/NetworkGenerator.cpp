//===- NetworkGenerator.cpp - Families of random networks -----------------===//

#include "NetworkGenerator.h"
#include "Layers.h"

#include <algorithm>

using namespace nnet3::property;

namespace {
/// What the functions below add a family's network to.
class Builder {
public:
  Builder(Random &random, bool training)
      : random(random), training(training), layers(random, text, training) {}

  RandomNetwork build(int family);

  void affine();
  void splice();
  void layered();
  void recurrent();
  void clockwork();
  void lstm();
  void fastLstm();
  void bidirectional();
  void tdnnf();
  void columns();
  void descriptors();
  void tdnnStack();
  void tangled();

private:
  /// At most `last`; in training sometimes more, as vector code needs.
  int dim(int last = 6) {
    if (training && random.chance(0.05))
      return random.between(last + 1, 40);
    return random.between(1, last);
  }
  NodeRef input(const std::string &name, int period = 1);
  void output(const std::string &name, const Expr &expr) {
    text.addOutput(name, expr);
    network.outputs.push_back({name, expr.dim()});
  }
  std::vector<int> offsets(int first, int last);
  Expr spliced(const Expr &expr, const std::vector<int> &offsets);
  NodeRef recurrence(const Expr &in, int dim, int step, const std::string &id);

  Random &random;
  bool training;
  NetworkText text;
  Layers layers;
  RandomNetwork network;
};

struct Family {
  const char *name;
  void (Builder::*build)();
};
} // namespace

static const Family kFamilies[] = {
    {"affine", &Builder::affine},
    {"splice", &Builder::splice},
    {"layered", &Builder::layered},
    {"recurrent", &Builder::recurrent},
    {"clockwork", &Builder::clockwork},
    {"lstm", &Builder::lstm},
    {"fast-lstm", &Builder::fastLstm},
    {"bidirectional", &Builder::bidirectional},
    {"tdnnf", &Builder::tdnnf},
    {"columns", &Builder::columns},
    {"descriptors", &Builder::descriptors},
    {"tdnn-stack", &Builder::tdnnStack},
    {"tangled", &Builder::tangled},
};

NodeRef Builder::input(const std::string &name, int period) {
  NodeRef node = text.addInput(name, dim());
  network.inputs.push_back({node, period});
  return node;
}

/// Some of the integers from `first` to `last`, in any order.
std::vector<int> Builder::offsets(int first, int last) {
  std::vector<int> all;
  for (int t = first; t <= last; ++t)
    all.push_back(t);
  random.shuffle(all);
  all.resize(random.between(1, std::min(4, int(all.size()))));
  if (random.chance(0.7))
    std::sort(all.begin(), all.end());
  return all;
}

/// Append of `expr` at several times, some of them negated.
Expr Builder::spliced(const Expr &expr, const std::vector<int> &offsets) {
  std::vector<Expr> parts;
  for (int t : offsets) {
    Expr part = t == 0 ? expr : offset(expr, t);
    parts.push_back(random.chance(0.2) ? scale(-1, part) : part);
  }
  return parts.size() == 1 ? parts.front() : append(std::move(parts));
}

//===----------------------------------------------------------------------===//
// Feed-forward families
//===----------------------------------------------------------------------===//

void Builder::affine() {
  output("output", layers.affine(input("input"), dim()));
}

void Builder::splice() {
  NodeRef in = input("input");
  std::vector<int> times = offsets(-5, 3);
  output("output", random.chance(0.5)
                       ? layers.tdnn(in, dim(), times)
                       : layers.affine(spliced(in, times), dim()));
}

void Builder::layered() {
  Expr in = input("input");
  Expr splice = spliced(in, offsets(-3, 3));
  if (random.chance(0.6)) {
    // The i-vector: one row per sequence, or one every few frames.
    int period = random.chance(0.7) ? 0 : random.between(2, 4);
    NodeRef ivector = input("ivector", period);
    splice = append({splice, period == 0
                                 ? Expr(Expr::ReplaceT, {Expr(ivector)}, 0)
                                 : Expr(Expr::Round, {Expr(ivector)}, period)});
  }
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

void Builder::tdnnf() {
  Expr in = input("input");
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

void Builder::tdnnStack() {
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

void Builder::columns() {
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

void Builder::descriptors() {
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
// Recurrent families
//===----------------------------------------------------------------------===//

/// A simple recurrence over steps of `step` frames.
NodeRef Builder::recurrence(const Expr &in, int dim, int step,
                            const std::string &id) {
  NodeRef affine = layers.affine(in, dim);
  NodeRef state{"state" + id, dim};
  NodeRef back = layers.affine(offset(state, step), dim, "back" + id);
  Expr optional =
      random.chance(0.7) ? ifDefined(back) : failover(back, constant(0, dim));
  return layers.simple("tanh", sum({affine, optional}), state.name);
}

void Builder::recurrent() {
  NodeRef in = input("input");
  NodeRef state =
      recurrence(spliced(in, offsets(-2, 1)), dim(), -random.between(1, 3), "");
  output("output", layers.affine(spliced(state, offsets(-1, 1)), dim()));
}

void Builder::bidirectional() {
  NodeRef in = input("input");
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

void Builder::clockwork() {
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

/// LSTM with peepholes and projection, of elementwise products.
void Builder::lstm() {
  NodeRef in = input("input");
  int cell = dim(4), delay = random.between(1, 3);
  int recurrent = random.between(1, cell);
  NodeRef c{"c", cell}, r{"r", recurrent};
  Expr previous = random.chance(0.5)
                      ? ifDefined(offset(c, -delay))
                      : failover(offset(c, -delay), constant(0, cell));
  Expr inputs = append({Expr(in), ifDefined(offset(r, -delay))});
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

void Builder::fastLstm() {
  NodeRef in = input("input");
  int cell = dim(4), delay = random.between(1, 3);
  NodeRef rc{"rc", 2 * cell}, m{"m", 2 * cell}, state{"state", cell};
  bool dropout = random.chance(0.3);
  Expr inputs =
      append({Expr(in), ifDefined(offset(NodeRef{"r", cell}, -delay))});
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

/// Nodes that read each other at times before and behind; some such networks
/// cannot be computed.
void Builder::tangled() {
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

//===----------------------------------------------------------------------===//
// The families
//===----------------------------------------------------------------------===//

RandomNetwork Builder::build(int family) {
  network.family = kFamilies[family].name;
  (this->*kFamilies[family].build)();
  network.componentNodes = text.getComponentNodes();
  network.text = text.str();
  return std::move(network);
}

const std::vector<std::string> &nnet3::property::getFamilies() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Family &family : kFamilies)
      list.push_back(family.name);
    return list;
  }();
  return names;
}

RandomNetwork nnet3::property::generateNetwork(Random &random, int family,
                                               bool training) {
  return Builder(random, training).build(family);
}
