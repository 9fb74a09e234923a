//===- LocationsTest.cpp - Source rows of commands ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

#include "nnet3/Compile/Locations.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Formats vectors: `a0 a1 __` is entry 0 of step 0, entry 1 of it, no
/// location.
std::string str(const LocationVector &vector) {
  std::string text;
  for (const RowLocation &location : vector) {
    text += text.empty() ? "" : " ";
    text += location.step < 0 ? std::string("__")
                              : std::string(1, char('a' + location.step)) +
                                    std::to_string(location.entry);
  }
  return text;
}

std::vector<std::string> str(const std::vector<LocationVector> &vectors) {
  std::vector<std::string> text;
  for (const LocationVector &vector : vectors)
    text.push_back(str(vector));
  return text;
}

using Texts = std::vector<std::string>;

/// Reproducible random numbers.
class Numbers {
public:
  int32_t below(int32_t end) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return int32_t((state >> 33) % uint64_t(end));
  }

private:
  uint64_t state = 7;
};

/// Makes up to three locations in each of up to eight rows, from a few steps.
LocationLists randomLists(Numbers &numbers) {
  LocationLists lists(1 + numbers.below(8));
  int32_t steps = 1 + numbers.below(3), entries = 1 + numbers.below(6);
  for (auto &list : lists)
    for (int32_t i = numbers.below(4); i > 0; --i)
      list.push_back({numbers.below(steps), numbers.below(entries)});
  return lists;
}

/// The number of occurrences of each location in each row, over all vectors.
using Counts = std::map<std::tuple<size_t, int32_t, int32_t>, int>;

Counts count(const LocationLists &lists) {
  Counts counts;
  for (auto [row, list] : llvm::enumerate(lists))
    for (const RowLocation &location : list)
      ++counts[{row, location.step, location.entry}];
  return counts;
}

Counts count(const std::vector<LocationVector> &vectors) {
  Counts counts;
  for (const LocationVector &vector : vectors)
    for (auto [row, location] : llvm::enumerate(vector))
      if (location.step >= 0)
        ++counts[{row, location.step, location.entry}];
  return counts;
}

std::set<int32_t> stepsOf(const LocationVector &vector) {
  std::set<int32_t> steps;
  for (const RowLocation &location : vector)
    if (location.step >= 0)
      steps.insert(location.step);
  return steps;
}

} // namespace

//===----------------------------------------------------------------------===//
// For reading (compile.md 8.2)
//===----------------------------------------------------------------------===//

TEST(LocationsTest, LargeSourcesGetVectorsOfTheirOwn) {
  RowLocation a0{0, 0}, a1{0, 1}, a2{0, 2}, a3{0, 3};
  RowLocation b0{1, 0}, b1{1, 1}, b2{1, 2};
  LocationLists lists = {{a0, b0}, {a1, b1}, {b2, a2}, {a3}};
  EXPECT_EQ(str(splitLocations(lists)), Texts({"b0 b1 b2 __", "a0 a1 a2 a3"}));
}

TEST(LocationsTest, OtherwiseVectorsTakeTheListsElementByElement) {
  RowLocation a0{0, 0}, b0{1, 0}, c0{2, 0};
  LocationLists lists = {{a0, b0}, {}, {c0}, {}};
  EXPECT_EQ(str(splitLocations(lists)), Texts({"a0 __ c0 __", "b0 __ __ __"}));
}

TEST(LocationsTest, OneLocationPerRowIsOneVector) {
  // Step 0 is read by most rows; there still is nothing to split.
  LocationLists lists = {{{0, 0}}, {{0, 1}}, {{1, 0}}};
  EXPECT_EQ(str(splitLocations(lists)), Texts({"a0 a1 b0"}));
  EXPECT_TRUE(splitLocations(LocationLists(3)).empty());
}

TEST(LocationsTest, RepeatedLocationsStay) {
  LocationLists lists = {{{0, 5}, {0, 5}}, {{0, 6}, {0, 6}}};
  EXPECT_EQ(str(splitLocations(lists)), Texts({"a5 a6", "a5 a6"}));
}

TEST(LocationsTest, SplittingKeepsAllLocations) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    LocationLists lists = randomLists(numbers);
    std::vector<LocationVector> vectors = splitLocations(lists);
    EXPECT_EQ(count(vectors), count(lists));
    size_t longest = 0;
    std::map<int32_t, size_t> uses;
    for (const auto &list : lists) {
      longest = std::max(longest, list.size());
      for (const RowLocation &location : list)
        ++uses[location.step];
    }
    if (longest < 2)
      continue;
    // A step that more than half of the rows read has a vector to itself.
    for (auto [usedStep, number] : uses) {
      int32_t step = usedStep;
      bool alone = llvm::any_of(vectors, [&](const LocationVector &vector) {
        return stepsOf(vector) == std::set<int32_t>({step});
      });
      EXPECT_TRUE(number <= lists.size() / 2 || alone);
    }
  }
}

//===----------------------------------------------------------------------===//
// For writing (compile.md 8.4)
//===----------------------------------------------------------------------===//

/// Steps 0 and 1 are rows of the same matrix.
TEST(LocationsTest, BackwardVectorsWriteNoRowTwice) {
  auto getOwner = [](int32_t step) { return step == 1 ? 0 : step; };
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    LocationLists lists = randomLists(numbers);
    std::vector<LocationVector> vectors;
    for (LocationVector &vector : splitLocations(lists))
      llvm::append_range(vectors, splitBackward(std::move(vector), getOwner));
    EXPECT_EQ(count(vectors), count(lists));
    for (const LocationVector &vector : vectors) {
      size_t numSteps = stepsOf(vector).size();
      ASSERT_GE(numSteps, 1u);
      std::set<std::pair<int32_t, int32_t>> written;
      for (const RowLocation &location : vector)
        if (location.step >= 0 && numSteps > 1)
          EXPECT_TRUE(
              written.insert({getOwner(location.step), location.entry}).second);
    }
  }
}

//===----------------------------------------------------------------------===//
// The locations of a part (compile.md 9.2)
//===----------------------------------------------------------------------===//

namespace {
class PartLocationsTest : public CompileTest {
protected:
  std::vector<ScaledVector> getAllVectors(const Step &step,
                                          const DescriptorPart &part) {
    return getVectors(*graph, steps, step, part,
                      [](const RowLocation &) { return true; });
  }
  /// `alpha: vector` of each vector of the last step's only part.
  Texts strParts() {
    const Step &step = steps.steps.back();
    const DescriptorPart &part = (*nodes)[step.node].parts.front();
    Texts text;
    for (const ScaledVector &vector : getAllVectors(step, part))
      text.push_back(std::to_string(int(vector.alpha)) + ": " +
                     ::str(vector.locations));
    return text;
  }
};

constexpr const char *kTwoScales = R"(
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.no_op @no_op {dim = 2}
  %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %b = nnet3.component_node "b" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %0 = nnet3.scale -1.0, %a : !nnet3.rows<2>
  %1 = nnet3.offset %b, t = 1 : !nnet3.rows<2>
  %2 = nnet3.failover %1, %b : !nnet3.rows<2>
  %3 = nnet3.sum %0, %2 : !nnet3.rows<2>
  nnet3.output_node "output", %3 : !nnet3.rows<2>
)";
} // namespace

/// No term reads b(0), so b has only the rows 1 and 2. The steps are x, the
/// input and output of a (2), those of b (4), and the output.
TEST_F(PartLocationsTest, OneListPerScale) {
  parse(kTwoScales, R"(
    nnet3.request_input "x" <t = 0:2>
    nnet3.request_output "output" <t = 0:2>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "x: 0 1 2\nb_input: 1 2\nb: 1 2\n"
                        "a_input: 0 1 2\na: 0 1 2\noutput: 0 1 2\n");
  EXPECT_EQ(strParts(), Texts({"-1: e0 e1 e2", "1: c0 c1 c1"}));
}

/// The tables of compile.md 4: Append(x, IfDefined(Offset(x, -1)),
/// Failover(Offset(x, 1), x)).
TEST_F(PartLocationsTest, OptionalTermsDependOnWhatIsSupplied) {
  const char *network = R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    %0 = nnet3.offset %x, t = -1 : !nnet3.rows<2>
    %1 = nnet3.if_defined %0 : !nnet3.rows<2>
    %2 = nnet3.offset %x, t = 1 : !nnet3.rows<2>
    %3 = nnet3.failover %2, %x : !nnet3.rows<2>
    %4 = nnet3.append %x, %1, %3 : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<6>
    nnet3.output_node "output", %4 : !nnet3.rows<6>
  )";
  auto tables = [&](const char *times) {
    parse(network, "nnet3.request_input \"x\" <t = " + std::string(times) +
                       ">\nnnet3.request_output \"output\" <t = 0:2>");
    runSteps();
    Texts text;
    for (const DescriptorPart &part : (*nodes)[steps.steps.back().node].parts)
      for (const ScaledVector &vector : getAllVectors(steps.steps.back(), part))
        text.push_back(::str(vector.locations));
    return text;
  };
  EXPECT_EQ(tables("0:2"), Texts({"a0 a1 a2", "__ a0 a1", "a1 a2 a2"}));
  EXPECT_EQ(tables("-1:3"), Texts({"a1 a2 a3", "a0 a1 a2", "a2 a3 a4"}));
}

/// `Sum(a, a)` adds a twice.
TEST_F(PartLocationsTest, TermsMayRepeat) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    %0 = nnet3.sum %x, %x : !nnet3.rows<2>
    nnet3.output_node "output", %0 : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "x" <t = 0:1>
    nnet3.request_output "output" <t = 0:1>
  )");
  runSteps();
  EXPECT_EQ(strParts(), Texts({"1: a0 a1", "1: a0 a1"}));
}
