//===- ElementwiseLayers.cpp - Layers with equal input and output dims ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layers.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

NodeRef Layers::simple(const std::string &op, const Expr &input,
                       std::string name) {
  return add(op, integer("dim", input.dim()), input, input.dim(),
             std::move(name));
}

NodeRef Layers::nonlinearity(const Expr &input) {
  static const std::vector<std::string> ops = {"rectified_linear", "sigmoid",
                                               "tanh"};
  return simple(random.pick(ops), input);
}

NodeRef Layers::batchNorm(const Expr &input) {
  int dim = input.dim(), block = divisor(dim);
  std::string attributes = integer("dim", dim) + ", ";
  if (!training || random.chance(0.3))
    attributes += "test_mode = true, count = 1.0e+02 : f64, " +
                  tensor("stats_mean", {block}, 0, 0.5) + ", " +
                  tensor("stats_var", {block}, 1, 0.7) + ", ";
  attributes += number("target_rms", random.chance(0.5) ? 1.0 : 0.7);
  if (block != dim || random.chance(0.5))
    attributes += ", " + integer("block_dim", block);
  return add("batch_norm", attributes, input, dim);
}

NodeRef Layers::normalize(const Expr &input) {
  int dim = input.dim(), block = divisor(dim);
  // The derivative of a block of one column is zero, apart from rounding.
  if (training && block == 1)
    block = dim;
  bool logStddev = random.chance(0.5);
  std::string attributes = integer("input_dim", dim) + ", " +
                           number("target_rms", random.real(0.3, 1.5));
  if (block != dim || random.chance(0.5))
    attributes += ", " + integer("block_dim", block);
  if (logStddev)
    attributes += ", add_log_stddev = true";
  return add("normalize", attributes, input,
             dim + (logStddev ? dim / block : 0));
}

NodeRef Layers::peephole(const Expr &input, std::string name) {
  static const std::vector<std::string> ops = {
      "per_element_scale", "natural_gradient_per_element_scale", "fixed_scale"};
  int dim = input.dim();
  return add(random.pick(ops),
             integer("dim", dim) + ", " + tensor("scales", {dim}, 0, 1), input,
             dim, std::move(name));
}

NodeRef Layers::permute(const Expr &input) {
  std::vector<int> map;
  for (int i = 0; i < input.dim(); ++i)
    map.push_back(i);
  random.shuffle(map);
  return add("permute", array("column_map", map), input, input.dim());
}

NodeRef Layers::truncation(const Expr &input, std::string name) {
  std::string attributes = integer("dim", input.dim()) + ", " +
                           number("scale", random.chance(0.5) ? 1.0 : 0.8);
  if (training)
    attributes += ", " + number("clipping_threshold", 0) + ", " +
                  number("zeroing_threshold", 0);
  return add("backprop_truncation", attributes, input, input.dim(),
             std::move(name));
}

NodeRef Layers::clipGradient(const Expr &input, std::string name) {
  std::string attributes = integer("dim", input.dim());
  if (training)
    attributes += ", " + number("clipping_threshold", 1e10) +
                  (random.chance(0.5) ? ", norm_based_clipping = true" : "");
  return add("clip_gradient", attributes, input, input.dim(), std::move(name));
}

std::string Layers::scaleAndOffset(int dim, int block) {
  // Scales below 1e-4 are raised to it, but the backward pass does not follow.
  double mean = 0, range = random.chance(0.2) ? 2e-4 : 1.5;
  if (training) {
    mean = random.chance(0.5) ? 1 : -1;
    range = 0.8;
  }
  return integer("dim", dim) + ", " + integer("block_dim", block) + ", " +
         tensor("scales", {block}, mean, range) + ", " +
         tensor("offsets", {block}, 0, 1);
}

NodeRef Layers::elementwise(const Expr &input) {
  int dim = input.dim(), block = divisor(dim);
  std::string dimText = integer("dim", dim);
  std::string test = ", test_mode = true";
  switch (random.between(0, 15)) {
  case 0:
    return simple("no_op", input);
  case 1:
    return simple("softmax", input);
  case 2:
    return simple("log_softmax", input);
  case 3:
    return batchNorm(input);
  case 4:
    return peephole(input);
  case 5:
    return permute(input);
  case 6:
    return truncation(input);
  case 7:
    return clipGradient(input);
  case 8:
    return add("fixed_bias", dimText + ", " + tensor("bias", {dim}, 0, 1),
               input, dim);
  case 9:
    return add("per_element_offset",
               dimText + ", " + integer("block_dim", block) + ", " +
                   tensor("offsets", {block}, 0, 1),
               input, dim);
  case 10:
    return add("scale_and_offset", scaleAndOffset(dim, block), input, dim);
  case 11:
    return add("dropout",
               dimText + test + ", " +
                   number("dropout_proportion", random.real(0, 1)),
               input, dim);
  case 12: {
    // Without dropout the mode does not matter.
    std::string mode =
        random.chance(0.3) ? ", " + number("dropout_proportion", 0) : test;
    return add("general_dropout",
               dimText + mode + ", " + integer("block_dim", block) + ", " +
                   integer("time_period", random.between(0, 3)),
               input, dim);
  }
  case 13:
    return add("spec_augment_time_mask", dimText + test, input, dim);
  default:
    return nonlinearity(input);
  }
}
