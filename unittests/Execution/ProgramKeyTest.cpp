//===- ProgramKeyTest.cpp - What a compiled program depends on ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ProgramKey.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

constexpr const char *kModule = R"mlir(
nnet3.network @net {
  nnet3.fixed_scale @scale {dim = 2 : i64, scales = dense<2.0> : tensor<2xf32>}
  nnet3.sigmoid @sigmoid {dim = 2 : i64, self_repair_scale = 1.000000e-05 : f32}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<2>
  %sum = nnet3.sum %in, %next : !nnet3.rows<2>
  %c = nnet3.component_node "c" @scale(%sum) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %c : !nnet3.rows<2>
}
nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0:1, t = 0:9>
  nnet3.request_output "output" <n = 0:1, t = 0:8>
}
)mlir";

class ProgramKeyTest : public ::testing::Test {
protected:
  ProgramKeyTest() {
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  }

  /// The key of the module in which `from` is replaced by `to`.
  std::string getKey(StringRef from = "", StringRef to = "") {
    std::string text = kModule;
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos) << from.str();
    text.replace(at, from.size(), to.str());
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return "";
    auto network = *module->getOps<NetworkOp>().begin();
    auto parameters = ParameterBlob::create(network);
    EXPECT_TRUE(succeeded(parameters));
    return toHex(
        ProgramKeyParts{describeTool(), describeNetwork(network, *parameters),
                        describeRequest(*module->getOps<RequestOp>().begin()),
                        describeOptions({}, {})}
            .getKey());
  }

  MLIRContext context;
};

TEST_F(ProgramKeyTest, DependsOnTheNetwork) {
  std::string key = getKey();
  EXPECT_EQ(key.size(), 64u);
  EXPECT_NE(key, getKey("t = 1 :", "t = 2 :"));
  EXPECT_NE(key, getKey("%in, %next", "%next, %in"));
  EXPECT_NE(key, getKey("nnet3.sum %in, %next", "nnet3.switch %in, %next"));
  EXPECT_NE(key, getKey("1.000000e-05", "1.000001e-05"));
  EXPECT_NE(key, getKey("nnet3.sigmoid", "nnet3.tanh"));
  EXPECT_NE(key, getKey("@scale(%sum)", "@sigmoid(%sum)"));
  EXPECT_NE(key, getKey("\"output\", %c", "\"output\", %sum"));
}

/// Programs refer to parameters and do not contain them.
TEST_F(ProgramKeyTest, DoesNotDependOnParameters) {
  EXPECT_EQ(getKey(), getKey("dense<2.0>", "dense<[3.0, 4.0]>"));
  // But where they lie is part of programs.
  EXPECT_NE(getKey(), getKey("nnet3.sigmoid @sigmoid {",
                             "nnet3.fixed_bias @a {dim = 2 : i64, bias = "
                             "dense<1.0> : tensor<2xf32>}\n"
                             "nnet3.sigmoid @sigmoid {"));
}

TEST_F(ProgramKeyTest, DependsOnTheRequest) {
  std::string key = getKey();
  EXPECT_NE(key, getKey("t = 0:9>", "t = 0:10>"));
  EXPECT_NE(key, getKey("t = 0:8>", "t = 0:8:2>"));
  EXPECT_NE(key, getKey("for @net {", "for @net store_component_stats {"));
  constexpr const char *outputDeriv = "\"output\" <n = 0:1, t = 0:8> deriv";
  std::string forward = getKey("\"output\" <n = 0:1, t = 0:8>", outputDeriv);
  EXPECT_NE(key, forward);
  std::string withDerivs = "\"input\" <n = 0:1, t = 0:9> deriv\n"
                           "nnet3.request_output " +
                           std::string(outputDeriv);
  EXPECT_NE(forward,
            getKey("\"input\" <n = 0:1, t = 0:9>\n  "
                   "nnet3.request_output \"output\" <n = 0:1, t = 0:8>",
                   withDerivs));
  // Not on its name.
  EXPECT_EQ(key, getKey("@request", "@other"));
}

TEST_F(ProgramKeyTest, DependsOnEveryOption) {
  std::set<std::string> texts = {describeOptions({}, {})};
  size_t count = 1;
  auto add = [&](const CompileOptions &compile,
                 const OptimizeOptions &optimize) {
    texts.insert(describeOptions(compile, optimize));
    ++count;
  };
  // All switches and numbers, one after the other.
  OptimizeOptions defaults;
  defaults.forEach([&](StringRef changed, bool &, StringRef) {
    OptimizeOptions options;
    options.forEach([&](StringRef name, bool &value, StringRef) {
      value ^= name == changed;
    });
    add({}, options);
  });
  defaults.forEachNumber([&](StringRef changed, int32_t &, StringRef) {
    OptimizeOptions options;
    options.forEachNumber([&](StringRef name, int32_t &value, StringRef) {
      value ^= name == changed;
    });
    add({}, options);
  });
  OptimizeOptions check;
  check.check = true;
  add({}, check);
  CompileOptions debugInfo, expandable, unfolded;
  debugInfo.debugInfo = true;
  expandable.expandable = true;
  unfolded.foldSequences = false;
  add(debugInfo, {});
  add(expandable, {});
  add(unfolded, {});
  EXPECT_EQ(texts.size(), count);
}

TEST_F(ProgramKeyTest, DependsOnEachPart) {
  std::set<ProgramKey> keys = {
      ProgramKeyParts{"a", "b", "c", "d"}.getKey(),
      ProgramKeyParts{"x", "b", "c", "d"}.getKey(),
      ProgramKeyParts{"a", "x", "c", "d"}.getKey(),
      ProgramKeyParts{"a", "b", "x", "d"}.getKey(),
      ProgramKeyParts{"a", "b", "c", "x"}.getKey(),
      // Where one ends and the next begins.
      ProgramKeyParts{"ab", "", "c", "d"}.getKey(),
      ProgramKeyParts{"", "ab", "c", "d"}.getKey(),
  };
  EXPECT_EQ(keys.size(), 7u);
}

/// The build ids of this program and of the LLVM library.
TEST_F(ProgramKeyTest, NamesTheBuild) {
  std::string tool = describeTool();
  EXPECT_EQ(tool, describeTool());
  EXPECT_TRUE(StringRef(tool).starts_with("format 2 "));
  EXPECT_GE(tool.size(), StringRef("format 1 ").size() + 2 * 40) << tool;
}

} // namespace
