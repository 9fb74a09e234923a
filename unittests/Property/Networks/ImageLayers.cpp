//===- ImageLayers.cpp - Blocks, images and sources -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layers.h"

#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

NodeRef Layers::blocks(const Expr &input, int numBlocks, int blockDim) {
  static const std::vector<std::string> ops = {
      "block_affine", "repeated_affine", "natural_gradient_repeated_affine"};
  const std::string &op = random.pick(ops);
  bool isRepeated = op != "block_affine";
  int dim = numBlocks * blockDim, rows = isRepeated ? blockDim : dim;
  int cols = input.dim() / numBlocks;
  return add(op,
             integer("input_dim", input.dim()) + ", " +
                 integer("output_dim", dim) + ", " +
                 integer(isRepeated ? "num_repeats" : "num_blocks", numBlocks) +
                 ", " +
                 tensor("linear_params", {rows, cols}, 0,
                        1.7 / std::sqrt(double(cols))) +
                 ", " + tensor("bias_params", {rows}, 0, 0.5),
             input, dim);
}

/// Draws a window size, and a step of at most that size, such that the windows
/// end at the last of `input` pixels.
static std::pair<int, int> windows(Random &random, int input) {
  int size = random.between(1, input);
  std::vector<int> steps;
  for (int step = 1; step <= size; ++step)
    if ((input - size) % step == 0)
      steps.push_back(step);
  return {size, random.pick(steps)};
}

NodeRef Layers::convolution(const Expr &input, ImageDims &image) {
  auto [filtX, stepX] = windows(random, image.x);
  auto [filtY, stepY] = windows(random, image.y);
  int filters = random.between(1, 3), cols = filtX * filtY * image.z;
  std::string attributes = image.text() + ", " + integer("filt_x_dim", filtX) +
                           ", " + integer("filt_y_dim", filtY) + ", " +
                           integer("filt_x_step", stepX) + ", " +
                           integer("filt_y_step", stepY) + ", " +
                           integer("num_filters", filters) + ", " +
                           tensor("filter_params", {filters, cols}, 0,
                                  1.7 / std::sqrt(double(cols))) +
                           ", " + tensor("bias_params", {filters}, 0, 0.5);
  if (random.chance(0.5))
    attributes += ", input_vectorization_order = \"yzx\"";
  image = {1 + (image.x - filtX) / stepX, 1 + (image.y - filtY) / stepY,
           filters};
  return add("convolution", attributes, input, image.size());
}

NodeRef Layers::maxpooling(const Expr &input, ImageDims &image) {
  auto [sizeX, stepX] = windows(random, image.x);
  auto [sizeY, stepY] = windows(random, image.y);
  auto [sizeZ, stepZ] = windows(random, image.z);
  std::string attributes =
      image.text() + ", " + integer("pool_x_size", sizeX) + ", " +
      integer("pool_y_size", sizeY) + ", " + integer("pool_z_size", sizeZ) +
      ", " + integer("pool_x_step", stepX) + ", " +
      integer("pool_y_step", stepY) + ", " + integer("pool_z_step", stepZ);
  image = {1 + (image.x - sizeX) / stepX, 1 + (image.y - sizeY) / stepY,
           1 + (image.z - sizeZ) / stepZ};
  return add("maxpooling", attributes, input, image.size());
}

NodeRef Layers::pnorm(const Expr &input) {
  int dim = divisor(input.dim());
  return add("pnorm",
             integer("input_dim", input.dim()) + ", " +
                 integer("output_dim", dim),
             input, dim);
}

/// Returns the attributes of both kinds of constants.
static std::string constantText(Random &random, int dim) {
  std::string text = integer("output_dim", dim) + ", " +
                     randomTensor(random, "output", {dim}, 0, 1);
  return random.chance(0.3) ? text + ", is_updatable = false" : text;
}

NodeRef Layers::constantFunction(const Expr &input, int dim) {
  return add("constant_function",
             integer("input_dim", input.dim()) + ", " +
                 constantText(random, dim),
             input, dim);
}

NodeRef Layers::source(int dim) {
  NodeRef self{freshName(), dim};
  if (random.chance(0.5))
    return add("constant", constantText(random, dim), self, dim, self.name);
  std::string mode =
      random.chance(0.3) ? number("dropout_proportion", 0) : "test_mode = true";
  if (random.chance(0.3))
    mode += ", continuous = true";
  return add("dropout_mask", integer("output_dim", dim) + ", " + mode, self,
             dim, self.name);
}

NodeRef Layers::gruNonlinearity(const Expr &input, int cellDim,
                                int recurrentDim, std::string name) {
  std::string attributes = integer("cell_dim", cellDim);
  // Self-repair is no derivative.
  if (training)
    attributes += ", " + number("self_repair_scale", 0);
  if (recurrentDim == 0)
    return add("output_gru_nonlinearity",
               attributes + ", " + tensor("w_h", {cellDim}, 0, 1), input,
               2 * cellDim, std::move(name));
  if (recurrentDim != cellDim || random.chance(0.5))
    attributes += ", " + integer("recurrent_dim", recurrentDim);
  return add("gru_nonlinearity",
             attributes + ", " + tensor("w_h", {cellDim, recurrentDim}, 0, 1),
             input, 2 * cellDim, std::move(name));
}
