//===- CorruptModelTest.cpp - Truncated and flipped models ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../Kaldi/DamageTestUtil.h"
#include "../../../Kaldi/TestUtil.h"
#include "ModelTestUtil.h"

using namespace ::nnet3::kaldi::test;
using namespace mlir::nnet3::test;
using llvm::StringRef;

namespace {
/// The largest allocation for a file of `size` bytes: text with one digit per
/// number becomes twice as large, growing vectors double, and MLIR allocates
/// attributes in slabs.
size_t memoryBound(size_t size) { return 16 * size + (1 << 16); }

/// Returns a small acoustic model: the head of tdnn.mdl, the network of `raw`,
/// no priors.
std::string acousticModel(StringRef head, StringRef raw) {
  std::string whole = readModelFile(head);
  bool binary = whole.front() == 0;
  whole.resize(whole.find("<Nnet3>"));
  std::string network = readModelFile(raw);
  whole += network.substr(binary ? 2 : 0);
  whole += binary ? std::string("<LeftContext> \4\0\0\0\0<RightContext> "
                                "\4\0\0\0\0<Priors> FV \4\0\0\0\0",
                                15 + 4 + 15 + 5 + 9 + 8)
                  : "<LeftContext> 0 <RightContext> 0 <Priors>  [ ]\n";
  return whole;
}

class CorruptModel : public testing::TestWithParam<const char *> {
protected:
  std::string contents() const {
    StringRef name = GetParam();
    if (name == "binary.mdl")
      return acousticModel("acoustic/tdnn.mdl",
                           "components/NoOpComponent-1.raw");
    if (name == "text.mdl")
      return acousticModel("acoustic/tdnn.mdl.txt",
                           "components/NoOpComponent-1.txt");
    return readModelFile(("components/" + name).str());
  }

  /// Whether `data` is read; complaints must be one line or more.
  bool reads(StringRef data) {
    // A context of its own: what a context keeps grows from file to file.
    TestContext test;
    resetLargestAllocation();
    auto module = test.read(data);
    EXPECT_LE(largestAllocation(), memoryBound(data.size()));
    EXPECT_EQ(!module, StringRef(test.messages).contains("error: "));
    if (module)
      expectFixedPoint(test, *module);
    return bool(module);
  }

  /// What was read is written to something that reads to the same.
  void expectFixedPoint(TestContext &test, mlir::ModuleOp module) {
    std::string once = toRaw(module);
    auto again = test.read(once);
    ASSERT_TRUE(again) << test.messages;
    EXPECT_TRUE(toRaw(*again) == once);
  }
};

TEST_P(CorruptModel, TruncatedAnywhere) {
  std::string whole = contents();
  ASSERT_FALSE(whole.empty());
  // Text may lack what follows its last visible character.
  size_t needed = whole.size();
  if (whole.front() != 0)
    needed = StringRef(whole).rtrim().size();
  expectOnlyWholeRead(whole, needed,
                      [&](StringRef part) { return reads(part); });
}

TEST_P(CorruptModel, AnyByteChanged) {
  std::string whole = contents();
  size_t refused =
      countRefusedChanges(whole, {0x01, 0x10, 0x80, 0xff},
                          [&](StringRef changed) { return reads(changed); });
  EXPECT_GT(refused, whole.size());
}

INSTANTIATE_TEST_SUITE_P(
    Files, CorruptModel,
    testing::Values("NaturalGradientAffineComponent-1.raw",
                    "TdnnComponent-1.txt",
                    "LstmNonlinearityComponent-2-dropout-inputs.raw",
                    "BatchNormComponent-2-test.raw",
                    "GeneralDropoutComponent-3-specaugment-testmode.txt",
                    "PermuteComponent-1.raw", "binary.mdl", "text.mdl"),
    fileTestName);
} // namespace
