//===- ReducedGemmTest.cpp - Reduced-precision matmuls, by element --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels must match plain loops on the same operands: bit for bit for
// integers, and up to the rounding of f32 accumulation for bf16.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Pipeline.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Target/Cpu/Passes.h"
#include "nnet3/Target/Library/LoadedObject.h"
#include "nnet3/Target/Library/ObjectEmitter.h"
#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/runtime/GeneratedCode.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// An input: its number of columns, the first column of the weights for it, and
/// the source row of each row, -1 for none.
struct Input {
  int64_t columns, first;
  std::vector<int64_t> rows;
};

/// The shape of a matmul: rows and columns of the output, columns of the
/// weights.
struct Shape {
  const char *name;
  int64_t rows, columns, depth;
  std::vector<Input> inputs;
  bool init, residual;
};

struct Parameter {
  Precision precision;
  const char *vectors;          ///< an instruction set
  const char *dotProducts = ""; ///< another one, or none
};

using Matrix = std::vector<float>;

constexpr float kSpecialValues[] = {std::numeric_limits<float>::quiet_NaN(),
                                    std::numeric_limits<float>::infinity(),
                                    -std::numeric_limits<float>::infinity()};

/// A matmul with values.
struct Product {
  explicit Product(const Shape &shape);
  /// Puts each of kSpecialValues into a row, the first one into the first
  /// column, the next ones further on.
  void addSpecialValues();
  /// Makes all weights and inputs 1.
  void fill();
  std::string getText() const;
  /// Row `row` of all inputs with what it is multiplied with in column `c`.
  Matrix gatherRow(int64_t row) const;
  Matrix gatherWeights(int64_t c) const;
  float finish(int64_t row, int64_t c, float sum) const;
  /// What sums begin with: the bias, and rows of their own.
  float getStart(int64_t row, int64_t c) const {
    return bias[c] + (shape.init ? init[row * shape.columns + c] : 0);
  }

  const Shape &shape;
  int64_t numSpecial = 0; ///< rows
  std::vector<Matrix> inputs;
  Matrix weights, bias, init, residual;
};

class ReducedGemmTest : public ::testing::TestWithParam<Parameter> {
protected:
  void SetUp() override;
  /// Compiles and runs the product, its rows in parts if `parallel`, and
  /// compares.
  void check(const Product &product, bool parallel = false);
  void check(const Shape &shape, bool parallel = false) {
    check(Product(shape), parallel);
  }

  std::unique_ptr<MLIRContext> context;
};

} // namespace

static Matrix draw(std::mt19937 &random, int64_t count) {
  std::normal_distribution<float> distribution;
  Matrix values(count);
  for (float &value : values)
    value = distribution(random);
  return values;
}

static int64_t getInputRows(const Input &input) {
  return *std::max_element(input.rows.begin(), input.rows.end()) + 1;
}

Product::Product(const Shape &shape) : shape(shape) {
  std::mt19937 random(1);
  for (const Input &input : shape.inputs) {
    inputs.push_back(draw(random, getInputRows(input) * input.columns));
    // One row of zeros, one with a large number, one without a sign.
    if (shape.rows > 2) {
      float *rows = inputs.back().data();
      std::fill_n(rows, input.columns, 0.0f);
      rows[input.columns] = 1e6f;
      for (int64_t k = 2 * input.columns; k < 3 * input.columns; ++k)
        rows[k] = std::abs(rows[k]);
    }
  }
  weights = draw(random, shape.columns * shape.depth);
  std::fill_n(weights.begin(), shape.depth, 0.0f);
  bias = draw(random, shape.columns);
  init = draw(random, shape.rows * shape.columns);
  residual = draw(random, shape.rows * shape.columns);
}

void Product::addSpecialValues() {
  const int64_t columns = shape.inputs[0].columns;
  for (float value : kSpecialValues) {
    const int64_t column =
        numSpecial * (columns - 1) / (std::size(kSpecialValues) - 1);
    inputs[0][numSpecial++ * columns + column] = value;
  }
}

void Product::fill() {
  for (Matrix &input : inputs)
    std::fill(input.begin(), input.end(), 1.0f);
  std::fill(weights.begin(), weights.end(), 1.0f);
}

static std::string getType(int64_t rows, int64_t columns) {
  return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "xf32>";
}

static std::string getTable(ArrayRef<int64_t> rows) {
  std::string text = "#nnet3.row_table<";
  for (auto [i, row] : llvm::enumerate(rows))
    text += (i ? ", " : "") + (row < 0 ? "_" : std::to_string(row));
  return text + ">";
}

std::string Product::getText() const {
  const std::string depth = std::to_string(shape.depth),
                    columns = std::to_string(shape.columns),
                    type = getType(shape.rows, shape.columns);
  std::string nodes;
  auto addNode = [&](const std::string &name, int64_t dim) {
    nodes += "  %" + name + " = nnet3.input_node \"" + name +
             "\" : !nnet3.rows<" + std::to_string(dim) + ">\n";
  };
  for (auto [i, input] : llvm::enumerate(shape.inputs))
    addNode("x" + std::to_string(i), input.columns);
  addNode("init", shape.columns);
  addNode("residual", shape.columns);
  std::string text = "nnet3.network @net {\n" + nodes +
                     "  nnet3.output_node \"y\", %init : !nnet3.rows<" +
                     columns +
                     ">\n"
                     "  nnet3.affine @affine {input_dim = " +
                     depth + ", output_dim = " + columns +
                     "}\n"
                     "  nnet3.rectified_linear @relu {dim = " +
                     columns +
                     "}\n"
                     "}\n"
                     "nnet3.computation @run for @net {\n";
  std::string names, types, tables, firsts;
  for (auto [i, input] : llvm::enumerate(shape.inputs)) {
    std::string name = "x" + std::to_string(i),
                inputType = getType(getInputRows(input), input.columns);
    text += "  %" + name + " = nnet3.accept_input \"" + name +
            "\" : " + inputType + "\n";
    std::string comma = i ? ", " : "";
    names += comma + "%" + name;
    types += comma + inputType;
    tables += comma + getTable(input.rows);
    firsts += comma + std::to_string(input.first);
  }
  for (const char *name : {"init", "residual"})
    text += "  %" + std::string(name) + " = nnet3.accept_input \"" + name +
            "\" : " + type + "\n";
  text += "  %y = nnet3.alloc_matrix_undefined : " + type +
          "\n  nnet3.fused_affine @net::@affine ins(" + names + " : " + types +
          ") rows [" + tables + "] columns [" + firsts + "] bias";
  if (shape.init)
    text += " init(%init : " + type + ")";
  text += " epilogue [@net::@relu]";
  if (shape.residual)
    text += " residual(%residual : " + type + ") scale 0.75";
  return text + " outs(%y : " + type +
         ")\n  nnet3.provide_output \"y\", %y : " + type + "\n}\n";
}

Matrix Product::gatherRow(int64_t row) const {
  Matrix result;
  for (auto [input, values] : llvm::zip_equal(shape.inputs, inputs))
    for (int64_t k = 0; k < input.columns; ++k)
      result.push_back(input.rows[row] < 0
                           ? 0
                           : values[input.rows[row] * input.columns + k]);
  return result;
}

Matrix Product::gatherWeights(int64_t c) const {
  Matrix result;
  for (const Input &input : shape.inputs)
    for (int64_t k = 0; k < input.columns; ++k)
      result.push_back(weights[c * shape.depth + input.first + k]);
  return result;
}

float Product::finish(int64_t row, int64_t c, float sum) const {
  sum = std::max(sum, 0.0f);
  // Rounded twice.
  const float added =
      shape.residual ? residual[row * shape.columns + c] * 0.75f : 0;
  return shape.residual ? sum + added : sum;
}

/// Rounds to the nearest bf16, ties to even.
static double toBf16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t lower = bits & 0xffff;
  bits -= lower;
  if (lower > 0x8000 || (lower == 0x8000 && (bits & 0x10000)))
    bits += 0x10000;
  return llvm::bit_cast<float>(bits);
}

/// Rounds to the nearest fp16, ties to even.
static double toFp16(float value) {
  const double size = std::abs(double(value));
  if (size == 0)
    return value;
  const int exponent = std::max(std::ilogb(size), -14);
  return std::copysign(
      std::ldexp(std::nearbyint(std::ldexp(size, 10 - exponent)),
                 exponent - 10),
      value);
}

/// Compares with exact sums. The tolerance of f32 accumulation is half a unit
/// in the last place, 2^-24, of the sum of all magnitudes, for each term.
static void expectHalves(const Product &product, ArrayRef<float> actual,
                         double (*roundRow)(float),
                         double (*roundWeight)(float)) {
  for (int64_t row = product.numSpecial; row < product.shape.rows; ++row) {
    Matrix x = product.gatherRow(row);
    for (int64_t c = 0; c < product.shape.columns; ++c) {
      Matrix w = product.gatherWeights(c);
      double sum = product.getStart(row, c), magnitude = std::abs(sum);
      for (auto [a, b] : llvm::zip_equal(x, w)) {
        sum += roundRow(a) * roundWeight(b);
        magnitude += std::abs(roundRow(a) * roundWeight(b));
      }
      ASSERT_NEAR(actual[row * product.shape.columns + c],
                  product.finish(row, c, float(sum)),
                  double(x.size() + 4) * std::ldexp(magnitude + 4, -24))
          << row << ", " << c;
    }
  }
}

static float getLargest(ArrayRef<float> values) {
  float largest = 0;
  for (float value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// A row quantised to integers from 0 to about `steps`, with zero point `zero`
/// and a scale.
struct Integers {
  Integers(ArrayRef<float> row, float steps);
  std::vector<int32_t> values;
  int32_t zero;
  float scale;
};

Integers::Integers(ArrayRef<float> row, float steps) {
  const float smallest = std::min(0.0f, *llvm::min_element(row));
  const float largest = std::max(0.0f, *llvm::max_element(row));
  const float extent = largest - smallest;
  const float inverse = extent > 0 ? steps / extent : 0;
  scale = extent * (1 / steps);
  zero = int32_t(std::nearbyint(-smallest * inverse));
  for (float value : row)
    values.push_back(int32_t(std::nearbyint(double(value * inverse) + zero)));
}

/// Returns the scale of a quantised row of weights.
static float getScale(ArrayRef<float> row, Precision precision) {
  if (precision == Precision::Int8)
    return getLargest(row) / 127;
  double positive = 0, negative = 0;
  for (float value : row)
    (value > 0 ? positive : negative) += std::abs(value);
  return std::max(
      getLargest(row) / 32767,
      float(std::max(positive, negative) / (524286 - double(row.size()) / 2)));
}

/// Operands are integers times a scale, so sums are exact.
static void expectIntegers(const Product &product, ArrayRef<float> actual,
                           Precision precision) {
  const bool isInt8 = precision == Precision::Int8;
  for (int64_t row = product.numSpecial; row < product.shape.rows; ++row) {
    Integers x(product.gatherRow(row), isInt8 ? 253.9999f : 4094.99f);
    EXPECT_GE(*llvm::min_element(x.values), 0);
    EXPECT_LE(*llvm::max_element(x.values), isInt8 ? 254 : 4095);
    for (int64_t c = 0; c < product.shape.columns; ++c) {
      const float scale =
          getScale(ArrayRef(product.weights)
                       .slice(c * product.shape.depth, product.shape.depth),
                   precision);
      int64_t sum = 0;
      for (auto [a, b] : llvm::zip_equal(x.values, product.gatherWeights(c)))
        sum += (a - x.zero) * (scale ? int64_t(std::nearbyint(b / scale)) : 0);
      const float expected =
          std::fma(float(sum), x.scale * scale, product.getStart(row, c));
      ASSERT_EQ(actual[row * product.shape.columns + c],
                product.finish(row, c, expected))
          << row << ", " << c;
    }
  }
}

/// Infinities and NaN in bf16 behave as in f32; a row of integers with them
/// becomes NaN.
static void expectSpecial(const Product &product, ArrayRef<float> actual,
                          Precision precision) {
  for (int64_t row = 0; row < product.numSpecial; ++row) {
    Matrix x = product.gatherRow(row);
    for (int64_t c = 0; c < product.shape.columns; ++c) {
      float sum = product.getStart(row, c);
      for (auto [a, b] : llvm::zip_equal(x, product.gatherWeights(c)))
        sum += a * b;
      const float expected = product.finish(row, c, sum),
                  found = actual[row * product.shape.columns + c];
      if (hasIntegers(precision) || std::isnan(expected))
        EXPECT_TRUE(std::isnan(found)) << row << ", " << c << ": " << found;
      else
        EXPECT_EQ(found, expected) << row << ", " << c;
    }
  }
}

void ReducedGemmTest::SetUp() {
  DialectRegistry registry;
  registry.insert<Nnet3Dialect, kernel::KernelDialect>();
  registerKernelModels(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  std::string error;
  auto machine = mlir::nnet3::CodeTarget().getAttribute(context.get(), error);
  ASSERT_TRUE(succeeded(machine)) << error;
  kernel::DotProductAttr instruction =
      machine->getDotProduct(GetParam().precision);
  const StringRef needed = GetParam().dotProducts;
  const bool isThere = GetParam().precision == Precision::FP16
                           ? machine->getConvertsHalves()
                           : instruction && instruction.getFeature() == needed;
  if (!needed.empty() && !isThere)
    GTEST_SKIP() << "not on this machine";
}

static void setValues(ModuleOp module, StringRef name, ArrayRef<int64_t> shape,
                      const Matrix &values) {
  auto network = SymbolTable::lookupSymbolIn(module, "net");
  auto type =
      RankedTensorType::get(shape, Float32Type::get(module->getContext()));
  SymbolTable::lookupSymbolIn(network, "affine")
      ->setAttr(name, DenseElementsAttr::get(type, ArrayRef(values)));
}

/// Returns the address of matrix `i` in the arena.
static float *getMatrix(ArrayAttr list, size_t i, Matrix &arena) {
  return arena.data() + cast<kernel::IoAttr>(list[i]).getOffset();
}

/// Runs the tiles in reverse order, which must not matter. The rows of other
/// parts have been converted before a part begins.
static void parallelRows(float *arena, const float *weights,
                         const int32_t *tables, void *context,
                         const int64_t *places, int64_t count,
                         nnet3lib_rows_fn rows) {
  for (int64_t tile = count; tile-- > 0;)
    rows(arena, weights, tables, context, places, tile, tile + 1);
}

void ReducedGemmTest::check(const Product &product, bool parallel) {
  const Shape &shape = product.shape;
  SCOPED_TRACE(shape.name);
  auto module = parseSourceString<ModuleOp>(product.getText(), context.get());
  ASSERT_TRUE(module) << product.getText();
  setValues(*module, "linear_params", {shape.columns, shape.depth},
            product.weights);
  setValues(*module, "bias_params", {shape.columns}, product.bias);
  PassManager passes(context.get());
  kernel::KernelSetTargetOptions target;
  target.instructionSets = {GetParam().vectors};
  if (*GetParam().dotProducts)
    target.instructionSets.push_back(GetParam().dotProducts);
  passes.addPass(kernel::createKernelSetTarget(target));
  Nnet3ConvertToKernelsOptions options;
  options.precision = GetParam().precision;
  options.parallelFlops = parallel ? 1 : std::numeric_limits<int64_t>::max();
  addKernelPasses(passes, options);
  passes.addPass(kernel::createKernelToVector());
  addKernelsToLLVMPasses(passes);
  ASSERT_TRUE(succeeded(passes.run(*module)));
  auto resources = kernel::ResourcesOp::find(*module);
  auto packed =
      mlir::nnet3::packWeights(resources, sizeof(float) * resources.getSize());
  ASSERT_TRUE(succeeded(packed));
  auto entry = kernel::EntryOp::find(*module, "run");
  Matrix arena(entry.getArenaSize(), NAN);
  std::vector<Matrix> given = product.inputs;
  given.push_back(product.init);
  given.push_back(product.residual);
  for (auto [i, values] : llvm::enumerate(given))
    llvm::copy(values, getMatrix(entry.getInputs(), i, arena));
  float *output = getMatrix(entry.getOutputs(), 0, arena);
  SymbolTable::lookupSymbolIn(*module, "net")->erase();
  auto code = mlir::nnet3::emitCode(*module, mlir::nnet3::CodeTarget(),
                                    mlir::nnet3::CodeForm::Object);
  ASSERT_TRUE(succeeded(code));
  auto loaded = mlir::nnet3::LoadedObject::load(
      *code, {{"nnet3lib_parallel_rows",
               reinterpret_cast<const void *>(&parallelRows)}});
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  auto run = (*loaded)->lookup("run");
  ASSERT_TRUE(bool(run));
  const std::vector<int32_t> tables = resources.getRowTableEntries();
  reinterpret_cast<nnet3lib_run_fn>(*run)(
      arena.data(), reinterpret_cast<const float *>(packed->data()),
      tables.data(), nullptr);
  ArrayRef<float> actual(output, shape.rows * shape.columns);
  expectSpecial(product, actual, GetParam().precision);
  if (GetParam().precision == Precision::BF16)
    expectHalves(product, actual, toBf16, toBf16);
  else if (GetParam().precision == Precision::FP16)
    expectHalves(
        product, actual, [](float value) -> double { return value; }, toFp16);
  else
    expectIntegers(product, actual, GetParam().precision);
}

/// Returns `count` numbers, `step` apart; the first `missing` are -1.
static std::vector<int64_t> getRows(int64_t count, int64_t step,
                                    int64_t missing = 0) {
  std::vector<int64_t> rows(missing, -1);
  while (int64_t(rows.size()) < count)
    rows.push_back(int64_t(rows.size()) * step);
  return rows;
}

TEST_P(ReducedGemmTest, OneRow) {
  check({"whole tiles", 1, 32, 64, {{64, 0, {0}}}, false, false});
  check({"borders", 1, 19, 37, {{37, 0, {2}}}, true, true});
}

TEST_P(ReducedGemmTest, Borders) {
  for (int64_t rows : {3, 12, 29})
    for (auto [columns, depth] : {std::pair(16, 41), {33, 16}, {70, 18}})
      check({"one input",
             rows,
             columns,
             depth,
             {{depth, 0, getRows(rows, 1)}},
             rows == 3,
             rows == 12});
}

/// Padding after the depth or the columns of a tile is not multiplied with
/// infinities or NaN.
TEST_P(ReducedGemmTest, NotFinite) {
  for (int64_t rows : {3, 12, 29})
    for (auto [columns, depth] : {std::pair(16, 41), {33, 16}, {70, 18}}) {
      const Shape shape = {
          "one input", rows, columns, depth, {{depth, 0, getRows(rows, 1)}},
          false,       false};
      Product product(shape);
      product.addSpecialValues();
      check(product);
    }
}

/// No accumulator of integers overflows.
TEST_P(ReducedGemmTest, LargestSums) {
  for (int64_t depth : {20, 6000}) {
    const Shape shape = {"ones", 3,    16, depth, {{depth, 0, getRows(3, 1)}},
                         false,  false};
    Product product(shape);
    product.fill();
    check(product);
  }
}

TEST_P(ReducedGemmTest, Splices) {
  check({"at words",
         14,
         40,
         60,
         {{20, 0, getRows(14, 3)},
          {20, 20, getRows(14, 1, 2)},
          {20, 40, getRows(14, 2)}},
         true,
         true});
  check({"inside of words",
         14,
         40,
         57,
         {{19, 0, getRows(14, 3)},
          {19, 19, getRows(14, 1, 2)},
          {19, 38, getRows(14, 2)}},
         true,
         true});
}

/// As if a part of the matmul had been hoisted out of a recurrence.
TEST_P(ReducedGemmTest, SomeColumns) {
  check({"at words",
         5,
         20,
         60,
         {{20, 0, getRows(5, 1)}, {20, 40, getRows(5, 1)}},
         false,
         false});
  check({"inside of words", 5, 20, 50, {{23, 27, getRows(5, 1)}}, true, false});
}

/// More rows than one conversion handles.
TEST_P(ReducedGemmTest, Blocks) {
  Shape shape = {"blocks", 300, 35, 1030, {{1030, 0, getRows(300, 1)}},
                 false,    true};
  check(shape);
  check(shape, /*parallel=*/true);
}

TEST_P(ReducedGemmTest, Parts) {
  for (int64_t rows : {24, 40})
    check({"parts", rows, 20, 21, {{21, 0, getRows(rows, 2)}}, true, false},
          /*parallel=*/true);
}

static std::string getName(const ::testing::TestParamInfo<Parameter> &info) {
  return (getPrecisionName(info.param.precision) + "_" +
          Twine(info.param.vectors) + "_" + info.param.dotProducts)
      .str();
}

// Vectors of 4, 8 and 16 floats for targets with fused multiply-add, with which
// the expected numbers are computed. Without dot products, the code runs on any
// machine.
INSTANTIATE_TEST_SUITE_P(
    Kernels, ReducedGemmTest,
    ::testing::Values(Parameter{Precision::BF16, "neon"},
                      Parameter{Precision::BF16, "avx2"},
                      Parameter{Precision::BF16, "avx512f"},
                      Parameter{Precision::BF16, "avx512f", "avx512bf16"},
                      Parameter{Precision::FP16, "sse2"},
                      Parameter{Precision::FP16, "avx2", "f16c"},
                      Parameter{Precision::FP16, "avx512f"},
                      Parameter{Precision::Int8, "neon"},
                      Parameter{Precision::Int8, "avx2"},
                      Parameter{Precision::Int8, "avx512f"},
                      Parameter{Precision::Int8, "avx2", "avxvnni"},
                      Parameter{Precision::Int8, "avx512f", "avx512vnni"},
                      Parameter{Precision::Int16, "avx2"},
                      Parameter{Precision::Int16, "avx2", "avxvnni"},
                      Parameter{Precision::Int16, "avx512f", "avx512vnni"}),
    getName);
