//===- NetworkBuilder.h - Families of random networks -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKBUILDER_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKBUILDER_H

#include "Layers.h"
#include "NetworkGenerator.h"

namespace mlir::nnet3::property {

/// Builds a network of a family.
class NetworkBuilder {
public:
  NetworkBuilder(Random &random, bool training)
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
  void images();
  void sources();
  void gru();
  void statistics();
  void timeHeight();
  void attention();
  void distributed();

private:
  /// Draws a dim up to `last`; in training sometimes a larger one, as vector
  /// code needs.
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
  Expr withIvector(const Expr &expr);
  Expr features();
  std::vector<int> offsets(int first, int last);
  Expr spliced(const Expr &expr, const std::vector<int> &offsets);
  NodeRef recurrence(const Expr &in, int dim, int step, const std::string &id);

  Random &random;
  bool training;
  NetworkText text;
  Layers layers;
  RandomNetwork network;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKBUILDER_H
