//===- Layers.cpp - Component nodes with random parameters ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layers.h"

#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

NodeRef Layers::add(const std::string &op, const std::string &attributes,
                    const Expr &input, int dim, std::string name) {
  if (name.empty())
    name = freshName();
  text.addComponent(name + "_component", op, attributes);
  return text.addNode(name, name + "_component", input, dim);
}

int Layers::divisor(int dim) {
  std::vector<int> divisors;
  for (int d = 1; d <= dim; ++d)
    if (dim % d == 0)
      divisors.push_back(d);
  return random.pick(divisors);
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Returns the range of weights that keeps the size of values about constant.
static double weightRange(int cols) { return 1.7 / std::sqrt(double(cols)); }

NodeRef Layers::affine(const Expr &input, int dim, std::string name) {
  static const std::vector<std::string> ops = {
      "affine", "natural_gradient_affine", "fixed_affine", "linear"};
  int in = input.dim();
  if (name.empty())
    name = freshName();
  if (training && random.chance(0.3))
    if (std::string shared = findAffine(in, dim); !shared.empty())
      return text.addNode(name, shared, input, dim);
  affines.push_back({name + "_component", in, dim});
  const std::string &op = random.pick(ops);
  std::string dims =
      integer("input_dim", in) + ", " + integer("output_dim", dim) + ", ";
  double range = weightRange(in);
  if (op == "linear")
    return add(op, dims + tensor("params", {dim, in}, 0, range), input, dim,
               std::move(name));
  std::string weights = tensor("linear_params", {dim, in}, 0, range);
  return add(op, dims + weights + ", " + tensor("bias_params", {dim}, 0, 0.5),
             input, dim, std::move(name));
}

std::string Layers::findAffine(int inputDim, int dim) {
  std::vector<std::string> fitting;
  for (const Affine &affine : affines)
    if (affine.inputDim == inputDim && affine.dim == dim)
      fitting.push_back(affine.component);
  return fitting.empty() ? "" : random.pick(fitting);
}

NodeRef Layers::tdnn(const Expr &input, int dim,
                     const std::vector<int> &offsets, std::string name) {
  int in = input.dim(), cols = in * int(offsets.size());
  std::string attributes =
      integer("input_dim", in) + ", " + integer("output_dim", dim) + ", " +
      array("time_offsets", offsets) + ", " +
      tensor("linear_params", {dim, cols}, 0, weightRange(cols));
  attributes += random.chance(0.3) ? std::string(", use_bias = false")
                                   : ", " + tensor("bias_params", {dim}, 0, 1);
  return add("tdnn", attributes, input, dim, std::move(name));
}

//===----------------------------------------------------------------------===//
// Products and sums of columns
//===----------------------------------------------------------------------===//

NodeRef Layers::product(const Expr &input, int dim, std::string name) {
  return add("elementwise_product",
             integer("input_dim", input.dim()) + ", " +
                 integer("output_dim", dim),
             input, dim, std::move(name));
}

NodeRef Layers::sumBlock(const Expr &input, int dim) {
  return add("sum_block",
             integer("input_dim", input.dim()) + ", " +
                 integer("output_dim", dim) + ", " +
                 number("scale", random.real(-1, 1)),
             input, dim);
}

NodeRef Layers::sumGroup(const Expr &input) {
  std::vector<int> sizes;
  for (int left = input.dim(); left > 0; left -= sizes.back())
    sizes.push_back(random.between(1, left));
  return add("sum_group", array("sizes", sizes), input, int(sizes.size()));
}

NodeRef Layers::lstmNonlinearity(const Expr &input, int cellDim, bool dropout,
                                 std::string name) {
  std::string attributes = integer("cell_dim", cellDim) + ", " +
                           tensor("params", {3, cellDim}, 0, 1);
  if (dropout)
    attributes += ", use_dropout = true";
  if (training)
    attributes += ", " + tensor("self_repair_config", {10}, 0, 0);
  return add("lstm_nonlinearity", attributes, input, 2 * cellDim,
             std::move(name));
}
