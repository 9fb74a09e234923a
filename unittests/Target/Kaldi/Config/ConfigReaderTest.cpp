//===- ConfigReaderTest.cpp - Configs to networks and back ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConfigTestUtil.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MemoryBuffer.h"

using mlir::failed;
using mlir::FileLineColLoc;
using mlir::ModuleOp;
using mlir::Operation;
using mlir::OwningOpRef;
using mlir::succeeded;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using ConfigReaderTest = ConfigTest;

static std::pair<unsigned, unsigned> getPlace(Operation *op) {
  auto loc = llvm::cast<FileLineColLoc>(LocationAttr(op->getLoc()));
  return {loc.getLine(), loc.getColumn()};
}

static const char *const kNetwork =
    "component name=c type=NaturalGradientAffineComponent input-dim=8 "
    "output-dim=3\n"
    "\n"
    "input-node name=input dim=4 # comment\n"
    "component-node name=a component=c input=Append(input, Offset(input, 1))\n"
    "output-node name=output input=Round(a, 2)\n";

TEST_F(ConfigReaderTest, LocationsPointIntoTheConfig) {
  OwningOpRef<ModuleOp> module = import(kNetwork);
  ASSERT_TRUE(module) << diagnostics.at(0);
  using Place = std::pair<unsigned, unsigned>;
  module->walk([&](Operation *op) {
    if (llvm::isa<NaturalGradientAffineOp>(op))
      EXPECT_EQ(getPlace(op), Place(1, 16));
    if (llvm::isa<InputNodeOp>(op))
      EXPECT_EQ(getPlace(op), Place(3, 17));
    if (llvm::isa<ComponentNodeOp>(op))
      EXPECT_EQ(getPlace(op), Place(4, 21));
    if (llvm::isa<AppendOp>(op))
      EXPECT_EQ(getPlace(op), Place(4, 41));
    if (llvm::isa<OffsetOp>(op))
      EXPECT_EQ(getPlace(op), Place(4, 55));
    if (llvm::isa<RoundOp>(op))
      EXPECT_EQ(getPlace(op), Place(5, 31));
  });
}

TEST_F(ConfigReaderTest, LinesMayBeNumberedFromElsewhere) {
  OwningOpRef<ModuleOp> module = import(kNetwork);
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(readConfig(getNetwork(*module), "\nfoo name=a\n",
                                "model.raw", /*firstLine=*/2)));
  EXPECT_EQ(diagnostics.at(0), "3:1: unknown kind of line 'foo'");
}

TEST_F(ConfigReaderTest, WindowsLineEndsAndNoLastLineEnd) {
  OwningOpRef<ModuleOp> module = import("input-node name=input dim=4\r\n"
                                        "output-node name=output input=input");
  ASSERT_TRUE(module) << diagnostics.at(0);
  EXPECT_EQ(exportConfig(*module),
            "input-node name=input dim=4\n"
            "output-node name=output input=input objective=linear\n");
}

// Components that are not replaced keep their parameters; replacements are new
// and keep the position.
TEST_F(ConfigReaderTest, ReplacesOnTopOfANetwork) {
  OwningOpRef<ModuleOp> module =
      import("component name=a type=AffineComponent input-dim=2 output-dim=2\n"
             "component name=b type=AffineComponent input-dim=2 output-dim=2\n"
             "input-node name=input dim=2\n"
             "component-node name=a component=a input=input\n"
             "component-node name=b component=b input=Sum(a, "
             "IfDefined(Offset(b, -1)))\n"
             "output-node name=output input=b\n");
  ASSERT_TRUE(module) << diagnostics.at(0);
  NetworkOp network = getNetwork(*module);
  ASSERT_TRUE(succeeded(initializeParameters(network, 1)));
  auto lookup = [&](llvm::StringRef name) {
    return llvm::cast<AffineOp>(network.lookupSymbol(name));
  };
  Attribute kept = lookup("b").getLinearParamsAttr();
  ASSERT_TRUE(kept);

  ASSERT_TRUE(succeeded(readConfig(
      network,
      "component name=a type=AffineComponent input-dim=3 output-dim=2\n"
      "input-node name=input dim=3\n",
      "second.config")))
      << diagnostics.at(0);
  EXPECT_EQ(lookup("b").getLinearParamsAttr(), kept);
  EXPECT_FALSE(lookup("a").getLinearParamsAttr());
  EXPECT_EQ(exportConfig(*module),
            "component name=a type=AffineComponent input-dim=3 output-dim=2\n"
            "component name=b type=AffineComponent input-dim=2 output-dim=2\n"
            "component-node name=a component=a input=input\n"
            "component-node name=b component=b input=Sum(a, "
            "IfDefined(Offset(b, -1)))\n"
            "output-node name=output input=b objective=linear\n"
            "input-node name=input dim=3\n");
}

TEST_F(ConfigReaderTest, InitialisesFromSeed) {
  auto draw = [&](uint64_t seed) {
    OwningOpRef<ModuleOp> module = import(kNetwork);
    EXPECT_TRUE(succeeded(initializeParameters(getNetwork(*module), seed)));
    std::vector<float> values;
    module->walk([&](NaturalGradientAffineOp op) {
      auto data =
          llvm::cast<DenseResourceElementsAttr>(op.getLinearParamsAttr());
      llvm::ArrayRef<char> bytes = data.getData();
      values.resize(bytes.size() / sizeof(float));
      std::copy(bytes.begin(), bytes.end(),
                reinterpret_cast<char *>(values.data()));
    });
    return values;
  };
  std::vector<float> first = draw(1);
  EXPECT_EQ(first.size(), 24u);
  EXPECT_EQ(first, draw(1));
  EXPECT_NE(first, draw(2));
}

// The deepest nesting that the parser accepts: later recursion does not
// overflow the stack.
TEST_F(ConfigReaderTest, DeepestDescriptor) {
  std::string input;
  for (int i = 0; i < 999; ++i)
    input += i % 2 ? "Round(" : "IfDefined(";
  input += "input";
  for (int i = 999; i-- > 0;)
    input += i % 2 ? ", 2)" : ")";
  OwningOpRef<ModuleOp> module = import("input-node name=input dim=4\n"
                                        "output-node name=output input=" +
                                        input + "\n");
  // Every Round moves below the IfDefineds inside it.
  EXPECT_FALSE(module);
  EXPECT_EQ(diagnostics.at(0).substr(diagnostics.at(0).find(' ')),
            " descriptor is too large when normalised");

  std::string rounds = "input";
  for (int i = 0; i < 999; ++i)
    rounds = "Round(" + rounds + ", 2)";
  module = import("input-node name=input dim=4\n"
                  "output-node name=output input=" +
                  rounds + "\n");
  ASSERT_TRUE(module) << diagnostics.at(0);
  EXPECT_NE(exportConfig(*module).find(rounds), std::string::npos);
}

TEST_F(ConfigReaderTest, ManyNodesAreReadInTime) {
  std::string text = "component name=c type=NoOpComponent dim=4\n"
                     "input-node name=n0 dim=4\n";
  constexpr int kNodes = 20000;
  for (int i = 1; i <= kNodes; ++i)
    text += "component-node name=n" + std::to_string(i) +
            " component=c input=n" + std::to_string(i - 1) + "\n";
  text += "output-node name=output input=n" + std::to_string(kNodes) + "\n";
  OwningOpRef<ModuleOp> module = import(text);
  ASSERT_TRUE(module) << diagnostics.at(0);
  EXPECT_EQ(llvm::range_size(getNetwork(*module).getOps<ComponentNodeOp>()),
            size_t(kNodes));
}

} // namespace mlir::nnet3
