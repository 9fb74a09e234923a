//===- CorruptConfigTest.cpp - Damaged configs ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For any bytes, reading gives either a network that can be written and read
// back, or an error with a location.
//
//===----------------------------------------------------------------------===//

#include "ConfigTestUtil.h"

#include "mlir/IR/Verifier.h"

using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::succeeded;

namespace mlir::nnet3 {

namespace {

class CorruptConfigTest : public ConfigTest {
protected:
  void check(const std::string &text) {
    OwningOpRef<ModuleOp> module = import(text);
    if (!module) {
      ASSERT_FALSE(diagnostics.empty()) << text;
      EXPECT_NE(diagnostics[0].find(": "), std::string::npos);
      ++rejected;
      return;
    }
    ++accepted;
    EXPECT_TRUE(succeeded(verify(*module))) << text;
    std::string canonical = exportConfig(*module);
    OwningOpRef<ModuleOp> again = import(canonical);
    ASSERT_TRUE(again) << text << "---\n" << canonical << diagnostics.at(0);
    EXPECT_EQ(exportConfig(*again), canonical) << text;
  }

  unsigned accepted = 0;
  unsigned rejected = 0;
};

const std::string kConfig =
    "component name=a type=TdnnComponent input-dim=4 output-dim=3 "
    "time-offsets=-1,0 param-stddev=0.1\n"
    "component name=b type=NormalizeComponent dim=3 target-rms=0.5 # c\n"
    "component name=p type=PermuteComponent column-map=1,0,2\n"
    "input-node name=in dim=4\n"
    "component-node name=a component=a input=Sum(in, Scale(2, r), Const(1, "
    "4))\n"
    "component-node name=b component='b' input=Failover(Offset(a, -1), a)\n"
    "component-node name=p component=p input=Round(Switch(b, a), 2)\n"
    "dim-range-node name=d input-node=a dim-offset=1 dim=2\n"
    "component-node name=q component=a input=Append(d, ReplaceIndex(d, t, 0))\n"
    "input-node name=r dim=4\n"
    "output-node name=out input=Append(IfDefined(Offset(p, 1)), q) "
    "objective=quadratic\n";

} // namespace

TEST_F(CorruptConfigTest, TheConfigIsGood) {
  check(kConfig);
  EXPECT_EQ(accepted, 1u);
}

TEST_F(CorruptConfigTest, Truncations) {
  for (size_t size = 0; size < kConfig.size(); ++size)
    check(kConfig.substr(0, size));
  EXPECT_GT(rejected, kConfig.size() / 2);
}

TEST_F(CorruptConfigTest, FlippedBits) {
  for (size_t i = 0; i < kConfig.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = kConfig;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      check(damaged);
    }
  EXPECT_GT(accepted, 0u);
  EXPECT_GT(rejected, kConfig.size());
}

TEST_F(CorruptConfigTest, ReplacedBytes) {
  for (size_t i = 0; i < kConfig.size(); ++i)
    for (char c :
         {'\0', '\n', ' ', '=', '#', '(', ')', ',', '"', '9', '\xff'}) {
      std::string damaged = kConfig;
      damaged[i] = c;
      check(damaged);
    }
}

TEST_F(CorruptConfigTest, RemovedAndDoubledBytes) {
  for (size_t i = 0; i < kConfig.size(); ++i) {
    check(kConfig.substr(0, i) + kConfig.substr(i + 1));
    check(kConfig.substr(0, i + 1) + kConfig.substr(i));
  }
}

} // namespace mlir::nnet3
