//===- StatisticsLayers.cpp - Statistics over a window of time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../LayerWriter.h"

#include "../../Config/Numbers.h"
#include "llvm/ADT/StringExtras.h"

using llvm::LogicalResult;
using llvm::success;

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kKeys[] = {kDim, requiredTextKey("config")};

namespace {

/// The parsed value of key `config`, such as `mean+stddev(-99:3:9:99)`.
struct Pooling {
  bool hasStddev = false;
  bool hasCount = false;
  int64_t left = 0;
  int64_t inputPeriod = 0;
  int64_t period = 0;
  int64_t right = 0;
};

} // namespace

static std::optional<Pooling> parse(llvm::StringRef text) {
  auto [kinds, times] = text.split('(');
  Pooling pooling;
  pooling.hasStddev = kinds.consume_front("mean+stddev");
  if (!pooling.hasStddev && !kinds.consume_front("mean"))
    return std::nullopt;
  pooling.hasCount = kinds.consume_front("+count");
  if (!kinds.empty() || !times.consume_back(")"))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef> fields;
  times.split(fields, ':');
  llvm::SmallVector<int64_t> numbers;
  for (llvm::StringRef field : fields)
    if (std::optional<int32_t> number = parseInteger(field))
      numbers.push_back(*number);
  if (fields.size() != 4 || numbers.size() != 4)
    return std::nullopt;
  pooling.left = -numbers[0];
  pooling.inputPeriod = numbers[1];
  pooling.period = numbers[2];
  pooling.right = numbers[3];
  return pooling;
}

static bool isValid(const Pooling &pooling) {
  return pooling.left >= 0 && pooling.right >= 0 &&
         pooling.left + pooling.right > 0 && pooling.inputPeriod > 0 &&
         pooling.period > 0 && pooling.period % pooling.inputPeriod == 0 &&
         pooling.left % pooling.period == 0 &&
         pooling.right % pooling.period == 0;
}

static LogicalResult expand(Layer &layer, LayerWriter &writer) {
  std::optional<Pooling> pooling = parse(layer.getText("config"));
  if (!pooling)
    return layer.expected("config",
                          "as 'mean+stddev+count(-99:3:9:99)', with or without "
                          "stddev and count");
  if (!isValid(*pooling))
    return layer.expected("config",
                          "(-left:input-period:period:right), left and right "
                          "multiples of period, and that of input-period");
  int64_t inputDim = layer.getInputDim();
  int64_t statistics = inputDim * (pooling->hasStddev ? 2 : 1);
  int64_t dim = statistics + (pooling->hasCount ? 1 : 0);
  if (layer.deriveInt("dim", dim) != dim)
    return layer.expected("dim", llvm::Twine(dim) + ", which config gives");
  auto name = [&](llvm::StringRef what) {
    return (layer.getName() + "-" + what + "-" + llvm::Twine(pooling->left) +
            "-" + llvm::Twine(pooling->right))
        .str();
  };
  llvm::StringRef hasStddev = llvm::toStringRef(pooling->hasStddev);
  std::string node =
      writer.named(name("extraction"), "StatisticsExtractionComponent")
          .set("input-dim", inputDim)
          .set("input-period", pooling->inputPeriod)
          .set("output-period", pooling->period)
          .set("include-variance", hasStddev)
          .from(layer.getInput());
  // The statistics extraction component outputs the count before the sums.
  node = writer.named(name("pooling"), "StatisticsPoolingComponent")
             .set("input-dim", 1 + statistics)
             .set("input-period", pooling->period)
             .set("left-context", pooling->left)
             .set("right-context", pooling->right)
             .set("num-log-count-features", int64_t(pooling->hasCount))
             .set("output-stddevs", hasStddev)
             .from(node);
  layer.setOutput(
      ("Round(" + node + ", " + llvm::Twine(pooling->period) + ")").str(), dim);
  return success();
}

static const LayerType kLayers[] = {{"stats-layer", expand, {kKeys}}};

llvm::ArrayRef<LayerType> getStatisticsLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
