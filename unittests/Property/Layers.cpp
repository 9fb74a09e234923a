//===- Layers.cpp - Component nodes with random parameters ----------------===//

#include "Layers.h"

#include <cmath>

using namespace nnet3::property;

static std::string integer(const std::string &name, int value) {
  return name + " = " + std::to_string(value) + " : i64";
}

static std::string number(const std::string &name, double value) {
  return name + " = " + toText(float(value)) + " : f32";
}

static std::string array(const std::string &name,
                         const std::vector<int> &values) {
  std::string list;
  for (int value : values)
    list += (list.empty() ? ": " : ", ") + std::to_string(value);
  return name + " = array<i64" + list + ">";
}

NodeRef Layers::add(const std::string &op, const std::string &attributes,
                    const Expr &input, int dim, std::string name) {
  if (name.empty())
    name = freshName();
  return text.addNode(name, op, attributes, input, dim);
}

int Layers::divisor(int dim) {
  std::vector<int> divisors;
  for (int d = 1; d <= dim; ++d)
    if (dim % d == 0)
      divisors.push_back(d);
  return random.pick(divisors);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// Weights drawn so that the product is about as large as its input.
static double weightRange(int cols) { return 1.7 / std::sqrt(double(cols)); }

NodeRef Layers::affine(const Expr &input, int dim, std::string name) {
  static const std::vector<std::string> ops = {
      "affine", "natural_gradient_affine", "fixed_affine", "linear"};
  const std::string &op = random.pick(ops);
  int in = input.dim();
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
// As many columns out as in
//===----------------------------------------------------------------------===//

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
  std::string attributes = integer("dim", dim) +
                           ", test_mode = true, count = 1.0e+02 : f64, " +
                           tensor("stats_mean", {block}, 0, 0.5) + ", " +
                           tensor("stats_var", {block}, 1, 0.7) + ", " +
                           number("target_rms", random.chance(0.5) ? 1.0 : 0.7);
  if (block != dim || random.chance(0.5))
    attributes += ", " + integer("block_dim", block);
  return add("batch_norm", attributes, input, dim);
}

NodeRef Layers::normalize(const Expr &input) {
  int dim = input.dim(), block = divisor(dim);
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
  return add("backprop_truncation",
             integer("dim", input.dim()) + ", " +
                 number("scale", random.chance(0.5) ? 1.0 : 0.8),
             input, input.dim(), std::move(name));
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
    return simple("clip_gradient", input);
  case 8:
    return add("fixed_bias", dimText + ", " + tensor("bias", {dim}, 0, 1),
               input, dim);
  case 9:
    return add("per_element_offset",
               dimText + ", " + integer("block_dim", block) + ", " +
                   tensor("offsets", {block}, 0, 1),
               input, dim);
  case 10:
    // Small scales are raised to 1e-4.
    return add(
        "scale_and_offset",
        dimText + ", " + integer("block_dim", block) + ", " +
            tensor("scales", {block}, 0, random.chance(0.2) ? 2e-4 : 1.5) +
            ", " + tensor("offsets", {block}, 0, 1),
        input, dim);
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
  return add("lstm_nonlinearity", attributes, input, 2 * cellDim,
             std::move(name));
}
