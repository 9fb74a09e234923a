//===- ChunkSplitter.cpp - Chunks of an utterance -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChunkSplitter.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// All splits whose cost exceeds the minimum by less than this count as equally
/// good.
static constexpr float kTolerance = 1.9999f;
/// The largest number of splits that are considered.
static constexpr size_t kMostSplits = 1000000;

static Error failOnSizes(StringRef text) {
  return optionError("option '--num-frames' expects sizes like 150,110,90, "
                     "or -1, but got " +
                     quoteForMessage(text));
}

/// Parses the sizes and rounds them up to multiples of `factor`.
static Expected<std::vector<int32_t>> parseSizes(StringRef text,
                                                 int32_t factor) {
  std::vector<int32_t> sizes;
  if (text == "-1")
    return sizes;
  llvm::SmallVector<StringRef> words;
  text.split(words, ',');
  for (StringRef word : words) {
    int32_t size;
    if (word.getAsInteger(10, size) || size < 1 || size > 1000000)
      return failOnSizes(text);
    sizes.push_back(llvm::alignTo(size, factor));
  }
  return sizes;
}

Expected<ChunkSplitter>
ChunkSplitter::create(const ExampleChunkOptions &options) {
  const std::pair<StringRef, int32_t> contexts[] = {
      {"left-context", options.leftContext},
      {"right-context", options.rightContext},
      {"num-frames-overlap", options.numFramesOverlap}};
  for (auto [name, value] : contexts)
    if (Error error = expectAtLeast(name, 0, value))
      return error;
  if (Error error = expectAtLeast("frame-subsampling-factor", 1,
                                  options.frameSubsamplingFactor))
    return error;
  auto sizes = parseSizes(options.numFrames, options.frameSubsamplingFactor);
  if (!sizes)
    return sizes.takeError();
  if (!sizes->empty() && options.numFramesOverlap >= sizes->front())
    return optionError("option '--num-frames-overlap' expects less than the "
                       "first of '--num-frames', " +
                       llvm::Twine(sizes->front()) + ", but got " +
                       llvm::Twine(options.numFramesOverlap));
  ChunkSplitter splitter(options, std::move(*sizes));
  splitter.enumerate();
  return splitter;
}

ChunkSplitter::ChunkSplitter(ExampleChunkOptions options,
                             std::vector<int32_t> sizes)
    : options(std::move(options)), sizes(std::move(sizes)) {}

float ChunkSplitter::getDuration(const Split &split) const {
  float duration = std::accumulate(split.begin(), split.end(), 0);
  for (size_t i = 1; i < split.size(); ++i)
    duration -= float(options.numFramesOverlap) / sizes.front() * split[i - 1];
  return duration;
}

void ChunkSplitter::enumerate() {
  if (sizes.empty())
    return;
  longest = 2 * *llvm::max_element(sizes) + sizes.front();
  // A split has any number of chunks of the principal size and up to two of
  // other sizes (0 means none).
  std::vector<int32_t> others{0};
  llvm::append_range(others, llvm::drop_begin(sizes));
  std::set<Split> found;
  for (int32_t first : others)
    for (int32_t second : others)
      for (int32_t count = 0; found.size() < kMostSplits; ++count) {
        Split split(count, sizes.front());
        for (int32_t size : {first, second})
          if (size > 0)
            split.push_back(size);
        llvm::sort(split);
        if (split.empty())
          continue;
        // Longer splits cost at least their excess.
        if (getDuration(split) > longest + sizes.front())
          break;
        found.insert(std::move(split));
      }
  splits.assign(found.begin(), found.end());
}

std::vector<const ChunkSplitter::Split *>
ChunkSplitter::findBest(int32_t length) const {
  auto getCost = [&](const Split &split) {
    if (split.back() > length)
      return std::numeric_limits<float>::infinity();
    const float excess = getDuration(split) - length;
    return excess > 0 ? excess : -2 * excess;
  };
  float best = std::numeric_limits<float>::infinity();
  for (const Split &split : splits)
    best = std::min(best, getCost(split));
  std::vector<const Split *> result;
  if (best == std::numeric_limits<float>::infinity())
    return result;
  for (const Split &split : splits)
    if (getCost(split) < best + kTolerance)
      result.push_back(&split);
  return result;
}

ChunkSplitter::Split ChunkSplitter::choose(int32_t length,
                                           std::mt19937_64 &random) const {
  if (sizes.empty())
    return {int32_t(llvm::alignTo(length, options.frameSubsamplingFactor))};
  const int32_t step = sizes.front() - options.numFramesOverlap;
  const int32_t numMore =
      length > longest ? llvm::divideCeil(length - longest, step) : 0;
  const std::vector<const Split *> best = findBest(length - numMore * step);
  if (best.empty())
    return {};
  std::uniform_int_distribution<size_t> draw(0, best.size() - 1);
  Split split = *best[draw(random)];
  split.insert(split.end(), numMore, sizes.front());
  llvm::sort(split);
  if (std::bernoulli_distribution()(random))
    std::reverse(split.begin(), split.end());
  return split;
}

/// Distributes `total` in proportion to `parts`. The rest from rounding down
/// goes to the parts with the largest remainders; ties are broken randomly.
static std::vector<int32_t> distribute(int32_t total,
                                       const std::vector<int32_t> &parts,
                                       std::mt19937_64 &random) {
  const int64_t sum = std::accumulate(parts.begin(), parts.end(), int64_t(0));
  std::vector<int32_t> result(parts.size());
  std::vector<size_t> order(parts.size());
  int32_t rest = total;
  for (size_t i = 0; i < parts.size(); ++i) {
    result[i] = int64_t(total) * parts[i] / sum;
    rest -= result[i];
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), random);
  llvm::sort(order, [&](size_t a, size_t b) {
    return int64_t(total) * parts[a] % sum > int64_t(total) * parts[b] % sum;
  });
  for (int32_t i = 0; i < rest; ++i)
    ++result[order[i]];
  return result;
}

std::vector<int32_t> ChunkSplitter::place(const Split &units, int32_t numUnits,
                                          std::mt19937_64 &random) const {
  const int32_t gap = numUnits - std::accumulate(units.begin(), units.end(), 0);
  // The gap before each chunk; negative for an overlap.
  std::vector<int32_t> gaps(units.size());
  if (gap >= 0) {
    const std::vector<int32_t> equal(units.size() + 1, 1);
    gaps = distribute(gap, equal, random);
  } else {
    std::vector<int32_t> smaller;
    for (size_t i = 1; i < units.size(); ++i)
      smaller.push_back(std::min(units[i - 1], units[i]));
    const std::vector<int32_t> overlaps = distribute(-gap, smaller, random);
    for (size_t i = 1; i < units.size(); ++i)
      gaps[i] = -overlaps[i - 1];
  }
  std::vector<int32_t> starts(units.size());
  int32_t t = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    starts[i] = t + gaps[i];
    t = starts[i] + units[i];
  }
  return starts;
}

std::vector<ExampleChunk> ChunkSplitter::split(int32_t length,
                                               std::mt19937_64 &random) const {
  const int32_t factor = options.frameSubsamplingFactor;
  Split units = choose(length, random);
  if (units.empty())
    return {};
  for (int32_t &size : units)
    size /= factor;
  const int32_t numUnits = llvm::divideCeil(length, factor);
  const std::vector<int32_t> starts = place(units, numUnits, random);

  std::vector<int32_t> uses(numUnits);
  for (auto [start, size] : llvm::zip_equal(starts, units))
    for (int32_t i = 0; i < size; ++i)
      ++uses[start + i];
  std::vector<ExampleChunk> chunks(units.size());
  for (auto [chunk, start, size] : llvm::zip_equal(chunks, starts, units)) {
    chunk.firstFrame = start * factor;
    chunk.numFrames = size * factor;
    chunk.leftContext = options.leftContext;
    chunk.rightContext = options.rightContext;
    for (int32_t i = 0; i < size; ++i)
      chunk.outputWeights.push_back(1.0f / uses[start + i]);
  }
  if (options.leftContextInitial >= 0)
    chunks.front().leftContext = options.leftContextInitial;
  if (options.rightContextFinal >= 0)
    chunks.back().rightContext = options.rightContextFinal;
  return chunks;
}
