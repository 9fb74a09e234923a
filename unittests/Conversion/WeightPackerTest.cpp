//===- WeightPackerTest.cpp - Packing parameters for kernels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Two affine maps with the same resource [1, 2; 3, 4], and one that no part
/// reads.
constexpr const char *kModule = R"mlir(
module {
  nnet3.network @net {
    nnet3.linear @a {input_dim = 2 : i64, output_dim = 2 : i64,
        params = dense_resource<shared> : tensor<2x2xf32>}
    nnet3.linear @b {input_dim = 2 : i64, output_dim = 2 : i64,
        params = dense_resource<shared> : tensor<2x2xf32>}
    nnet3.linear @c {input_dim = 1 : i64, output_dim = 1 : i64,
        params = dense_resource<other> : tensor<1x1xf32>}
  }
  kernel.resources weights 32 layout [
    #kernel.packed<component = @net::@a, part = panels, offset = 0, number = 1>,
    #kernel.packed<component = @net::@b, part = panels, offset = 16, number = 2>]
    calls []
}
{-#
  dialect_resources: {
    builtin: {
      shared: "0x400000000000803F000000400000404000008040",
      other: "0x400000000000803F"
    }
  }
#-}
)mlir";

class WeightPackerTest : public ::testing::Test {
protected:
  WeightPackerTest() {
    DialectRegistry registry;
    registerKernelModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<Nnet3Dialect, kernel::KernelDialect>();
    module = parseSourceString<ModuleOp>(kModule, &context);
  }

  kernel::ResourcesOp getResources() {
    return kernel::ResourcesOp::find(*module);
  }

  /// Bytes that are left of the parameters of component `name`.
  size_t getSize(StringRef name) {
    Operation *network = &module->getBody()->front();
    Operation *component = SymbolTable::lookupSymbolIn(network, name);
    auto params = component->getAttrOfType<DenseResourceElementsAttr>("params");
    return params.getRawHandle().getBlob()->getData().size();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  const std::vector<float> rows = {1, 2, 3, 4}, panel = {1, 3, 2, 4};

  FailureOr<ZeroedBytes> pack(bool takeParameters = false) {
    return packWeights(getResources(), 32 * sizeof(float), takeParameters);
  }

  void expectPacked(ZeroedBytes &bytes) {
    ASSERT_EQ(bytes.size(), 32 * sizeof(float));
    auto *weights = reinterpret_cast<const float *>(bytes.data());
    EXPECT_EQ(std::vector<float>(weights, weights + 4), rows);
    EXPECT_EQ(std::vector<float>(weights + 16, weights + 20), panel);
  }
};

TEST_F(WeightPackerTest, LeavesParameters) {
  ASSERT_TRUE(module);
  auto packed = pack();
  ASSERT_TRUE(succeeded(packed));
  expectPacked(*packed);
  EXPECT_EQ(getSize("a"), 16u);
}

TEST_F(WeightPackerTest, TakesParametersBehindTheLastReader) {
  ASSERT_TRUE(module);
  auto packed = pack(/*takeParameters=*/true);
  ASSERT_TRUE(succeeded(packed));
  expectPacked(*packed);
  EXPECT_EQ(getSize("a"), 0u);
  EXPECT_EQ(getSize("b"), 0u);
  EXPECT_EQ(getSize("c"), 4u);
}

} // namespace
