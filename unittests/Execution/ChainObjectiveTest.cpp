//===- ChainObjectiveTest.cpp - Objectives of the reference ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChainGraphs.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/Reader.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static const char kFolder[] = NNET3_TEST_INPUTS "/chain";

namespace {
/// A case of the reference, and the computed values.
class GoldenObjective : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override;

  std::string getPath(llvm::StringRef name) {
    llvm::SmallString<128> path(kFolder);
    llvm::sys::path::append(path, GetParam(), name);
    return std::string(path);
  }
  std::string getString(llvm::StringRef key) {
    return json.getString(key)->str();
  }
  void readOutput();
  void readSupervision();
  rt::ChainOptions getOptions();
  void expectScalar(llvm::StringRef name, double actual);
  void expectMatrix(llvm::StringRef what, rt::ConstMatrixView actual);

  llvm::json::Object json;
  Matrix output;
  rt::ChainSupervision supervision;
};
} // namespace

void GoldenObjective::SetUp() {
  auto buffer = llvm::MemoryBuffer::getFile(getPath("case.json"));
  ASSERT_TRUE(buffer);
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(bool(parsed));
  json = std::move(*parsed->getAsObject());
  auto read = readMatrixFile(getPath(getString("network_output")));
  ASSERT_TRUE(bool(read));
  output = std::move(*read);
  readSupervision();
}

void GoldenObjective::readSupervision() {
  auto buffer = llvm::MemoryBuffer::getFile(getPath(getString("egs")));
  ASSERT_TRUE(buffer);
  KaldiReader reader(
      (*buffer)->getBuffer().drop_front(*json.getInteger("egs_offset")), "egs");
  NnetChainExample example;
  ASSERT_TRUE(succeeded(reader.readHeader()));
  ASSERT_TRUE(succeeded(readChainExample(reader, example)));
  auto converted = getChainSupervision(example.outputs.front());
  ASSERT_TRUE(bool(converted));
  supervision = std::move(*converted);
}

rt::ChainOptions GoldenObjective::getOptions() {
  rt::ChainOptions options;
  for (const llvm::json::Value &value : *json.getArray("options")) {
    auto [name, number] = value.getAsString()->split('=');
    float *option =
        name == "--leaky-hmm-coefficient"     ? &options.leakyHmmCoefficient
        : name == "--l2-regularize"           ? &options.l2Regularize
        : name == "--out-of-range-regularize" ? &options.outOfRangeRegularize
                                              : nullptr;
    double parsed = 0;
    if (!option || number.getAsDouble(parsed))
      ADD_FAILURE() << value.getAsString()->str();
    else
      *option = float(parsed);
  }
  return options;
}

/// Returns true if the difference is within the bound, or both are equally
/// non-finite.
static bool isNear(double actual, double expected, double bound) {
  if (std::isnan(expected))
    return std::isnan(actual);
  return actual == expected || std::abs(actual - expected) <= bound;
}

void GoldenObjective::expectScalar(llvm::StringRef name, double actual) {
  const llvm::json::Value &value = *json.getObject("expected")->get(name);
  const double expected = value.getAsNumber()
                              ? *value.getAsNumber()
                              : std::stod(value.getAsString()->str());
  EXPECT_TRUE(isNear(actual, expected, 1e-5 * (std::abs(expected) + 1e-6)))
      << name.str() << " is " << actual << ", not " << expected;
}

void GoldenObjective::expectMatrix(llvm::StringRef what,
                                   rt::ConstMatrixView actual) {
  auto expected = readMatrixFile(getPath(("expected." + what + ".txt").str()));
  ASSERT_TRUE(bool(expected));
  ASSERT_EQ(expected->rows, actual.rows);
  ASSERT_EQ(expected->cols, actual.cols);
  for (int32_t r = 0; r < actual.rows; ++r)
    for (int32_t c = 0; c < actual.cols; ++c)
      ASSERT_TRUE(isNear(actual.row(r)[c], (*expected)(r, c), 1e-5))
          << what.str() << " at row " << r << ", column " << c << " is "
          << actual.row(r)[c] << ", not " << (*expected)(r, c);
}

TEST_P(GoldenObjective, IsThatOfTheReference) {
  auto graph = readDenominatorGraph(getPath(getString("denominator_fst")),
                                    int32_t(output.cols));
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  const size_t size = size_t(output.rows) * output.cols;
  std::vector<float> derivative(size), crossEntropy(size);
  auto view = [&](std::vector<float> &storage) {
    return rt::MatrixView(storage.data(), int32_t(output.rows),
                          int32_t(output.cols), output.cols);
  };
  auto result = rt::computeChainObjective(
      *graph, supervision, getOptions(), getString("random_draws") == "zero",
      rt::ConstMatrixView(output.data.data(), int32_t(output.rows),
                          int32_t(output.cols), output.cols),
      view(derivative), view(crossEntropy));
  ASSERT_TRUE(result.ok()) << result.status().message();
  expectScalar("objf", result->objective);
  expectScalar("l2_term", result->l2Term);
  expectScalar("weight", result->weight);
  expectScalar("numerator_logprob", result->numerator);
  expectScalar("denominator_logprob", result->denominator);
  expectMatrix("deriv", view(derivative));
  expectMatrix("xent-deriv", view(crossEntropy));
  auto initial = readVectorFile(getPath("expected.initial-probs.txt"));
  ASSERT_TRUE(bool(initial));
  ASSERT_EQ(initial->size(), graph->initialProbabilities().size());
  for (size_t i = 0; i < initial->size(); ++i)
    EXPECT_NEAR(graph->initialProbabilities()[i], (*initial)[i], 1e-6);
}

static std::vector<std::string> findCases() {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(kFolder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::StringRef name = llvm::sys::path::filename(it->path());
        name.starts_with("objf-"))
      names.push_back(name.str());
  llvm::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenObjective, testing::ValuesIn(findCases()),
                         [](const auto &info) {
                           std::string name = info.param;
                           llvm::replace(name, '-', '_');
                           return name;
                         });
