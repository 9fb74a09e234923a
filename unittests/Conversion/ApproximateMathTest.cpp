//===- ApproximateMathTest.cpp - Accuracy of exp and tanh -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;

static constexpr int64_t kCount = 1 << 16;

/// Returns a function that replaces each x of its argument by `body`, which
/// defines %y.
static std::string getText(StringRef body) {
  return ("func.func @f(%m: memref<65536xf32>) {\n"
          "  %zero = arith.constant 0 : index\n"
          "  %count = arith.constant 65536 : index\n"
          "  %step = arith.constant 8 : index\n"
          "  scf.for %i = %zero to %count step %step {\n"
          "    %x = vector.load %m[%i] : memref<65536xf32>, vector<8xf32>\n" +
          body +
          "    vector.store %y, %m[%i] : memref<65536xf32>, vector<8xf32>\n"
          "  }\n"
          "  return\n"
          "}\n")
      .str();
}

/// Returns the results of `body` for `values`.
static std::vector<float> compute(StringRef body, std::vector<float> values) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                      math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                      vector::VectorDialect>();
  auto module = parseSourceString<ModuleOp>(getText(body), &context);
  PassManager passes(&context);
  mlir::nnet3::addKernelsToLLVMPasses(passes);
  if (!module || failed(passes.run(*module)))
    return {};
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto engine = ExecutionEngine::create(*module);
  if (!engine)
    return {};
  auto function = (*engine)->lookup("f");
  if (!function)
    return {};
  reinterpret_cast<void (*)(float *)>(*function)(values.data());
  return values;
}

/// Returns `kCount` evenly spaced numbers between two bounds.
static std::vector<float> getRange(double first, double last) {
  std::vector<float> values;
  for (int64_t i = 0; i < kCount; ++i)
    values.push_back(float(first + (last - first) * double(i) / kCount));
  return values;
}

/// Returns the largest relative error between two bounds.
static double getError(StringRef body, double (*exact)(double), double first,
                       double last) {
  std::vector<float> arguments = getRange(first, last);
  std::vector<float> values = compute(body, arguments);
  if (values.empty())
    return INFINITY;
  double largest = 0;
  for (int64_t i = 0; i < kCount; ++i) {
    double expected = exact(arguments[i]);
    double error = std::abs(values[i] - expected);
    // Not-a-number is never right.
    if (!(error <= 1e-6 * std::abs(expected)))
      largest = std::max(largest,
                         expected == 0 ? INFINITY : error / std::abs(expected));
  }
  return largest;
}

TEST(ApproximateMathTest, Exp) {
  EXPECT_EQ(getError(
                "%y = math.exp %x : vector<8xf32>\n",
                [](double x) { return std::exp(x); }, -80, 85),
            0);
}

TEST(ApproximateMathTest, Tanh) {
  for (double limit : {0.01, 0.6, 12.0})
    EXPECT_EQ(getError(
                  "%y = math.tanh %x : vector<8xf32>\n",
                  [](double x) { return std::tanh(x); }, -limit, limit),
              0);
}

/// Also outside the range of exp.
TEST(ApproximateMathTest, Limits) {
  std::vector<float> values(kCount, 0);
  values[0] = 200;
  values[1] = -200;
  values[2] = NAN;
  std::vector<float> exp =
      compute("%y = math.exp %x : vector<8xf32>\n", values);
  ASSERT_EQ(exp.size(), values.size());
  EXPECT_EQ(exp[0], INFINITY);
  EXPECT_EQ(exp[1], 0);
  EXPECT_TRUE(std::isnan(exp[2]));
  std::vector<float> tanh =
      compute("%y = math.tanh %x : vector<8xf32>\n", values);
  ASSERT_EQ(tanh.size(), values.size());
  EXPECT_EQ(tanh[0], 1);
  EXPECT_EQ(tanh[1], -1);
}
