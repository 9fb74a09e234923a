//===- IvectorStream.cpp - Streaming i-vector extraction ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorStream.h"
#include "nnet3/runtime/nnet3_ivector.h"

#include <algorithm>

using namespace nnet3::rt;

static constexpr int32_t kMostFrames = SplicedFrames::kMostFrames;
static constexpr int64_t kReach = NNET3_IVECTOR_WEIGHT_REACH;

/// Number of transformed frames that are kept, because they wait for the next
/// i-vector or may get another weight.
static int64_t countKept(const IvectorModel &model) {
  return model.options.period + kMostFrames + kReach;
}

IvectorStream::IvectorStream(const IvectorModel &model)
    : model(model), frames(model), forMixture(countKept(model), model.ldaDim),
      forStatistics(countKept(model), model.ldaDim),
      changes(countKept(model) + model.splice.rightContext + kMostFrames +
                  kReach,
              1),
      posteriors(model, kMostFrames), accumulator(model, kMostFrames),
      statistics(model), solver(model), solution(model.ivectorDim),
      mixtureRows(kMostFrames * int64_t(model.ldaDim)),
      statisticsRows(kMostFrames * int64_t(model.ldaDim)),
      weights(kMostFrames) {}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

void IvectorStream::transformUpTo(int64_t end) {
  while (numTransformed < end) {
    const int64_t untilWrap =
        forMixture.getCapacity() - numTransformed % forMixture.getCapacity();
    const auto count = static_cast<int32_t>(
        std::min({end - numTransformed, untilWrap, int64_t(kMostFrames)}));
    const auto view = [&](FrameRing &ring) {
      return MatrixView(ring.row(numTransformed), count, model.ldaDim,
                        model.ldaDim);
    };
    frames.transform(numTransformed, count, view(forMixture),
                     view(forStatistics));
    if (!hasWeights)
      for (int64_t t = numTransformed; t < numTransformed + count; ++t)
        *changes.row(t) = 1;
    numTransformed += count;
  }
}

/// Adds the frames in the rows of the block.
void IvectorStream::addBlock(int32_t count) {
  const ConstMatrixView mixture(mixtureRows.data(), count, model.ldaDim,
                                model.ldaDim);
  posteriors.computeLikelihoods(mixture);
  for (int32_t i = 0; i < count; ++i) {
    double frameLikelihood = 0;
    const auto &kept = posteriors.select(i, weights[i], frameLikelihood);
    logLikelihood += weights[i] * frameLikelihood;
    accumulator.note(i, kept, model.options.posteriorScale * weights[i]);
  }
  accumulator.add({statisticsRows.data(), count, model.ldaDim, model.ldaDim},
                  statistics);
}

void IvectorStream::addUpTo(int64_t end) {
  int32_t count = 0;
  for (int64_t t = firstChanged; t < end; ++t) {
    float &change = *changes.row(t);
    if (change == 0)
      continue;
    weights[count] = change;
    change = 0;
    std::copy_n(forMixture.row(t), model.ldaDim,
                mixtureRows.data() + count * model.ldaDim);
    std::copy_n(forStatistics.row(t), model.ldaDim,
                statisticsRows.data() + count * model.ldaDim);
    if (++count < kMostFrames)
      continue;
    addBlock(count);
    count = 0;
  }
  if (count > 0)
    addBlock(count);
  firstChanged = std::max(firstChanged, end);
}

bool IvectorStream::changeWeights(int64_t firstFrame, const float *values,
                                  int64_t count) {
  const int64_t numFrames = frames.getNumPushed();
  if (finished || (!hasWeights && numFrames > 0) || firstFrame < 0 ||
      firstFrame < numFrames - kReach ||
      count > numFrames + kReach - firstFrame)
    return false;
  hasWeights = true;
  for (int64_t i = 0; i < count; ++i)
    *changes.row(firstFrame + i) += values[i];
  firstChanged = std::min(firstChanged, firstFrame);
  return true;
}

//===----------------------------------------------------------------------===//
// i-vectors
//===----------------------------------------------------------------------===//

/// Adds the frames before \p end, and estimates the i-vector.
void IvectorStream::estimateAt(int64_t end) {
  transformUpTo(end);
  addUpTo(end);
  solver.solve(statistics, solution);
  numEstimated = end;
}

void IvectorStream::write(float *ivector) const {
  std::copy(solution.begin(), solution.end(), ivector);
}

/// Writes the i-vectors of frames that are ready, at most \p maxIvectors.
int64_t IvectorStream::writeRows(float *ivectors, int64_t maxIvectors) {
  const int64_t numReady = frames.countReady(finished);
  int64_t numRows = 0;
  for (; nextRow < numReady; ++nextRow) {
    const bool isDue = nextRow % model.options.period == 0;
    if (!isDue && !model.options.repeat)
      continue;
    if (numRows == maxIvectors)
      return numRows;
    if (isDue)
      estimateAt(nextRow + 1);
    write(ivectors + numRows++ * model.ivectorDim);
  }
  return numRows;
}

int64_t IvectorStream::push(ConstMatrixView rows, float *ivectors,
                            int64_t maxIvectors, int64_t &numIvectors) {
  const bool givesLatest = model.options.givesLatest();
  numIvectors = 0;
  for (int64_t used = 0;; ++used) {
    if (!givesLatest)
      numIvectors += writeRows(ivectors + numIvectors * model.ivectorDim,
                               maxIvectors - numIvectors);
    const int64_t numReady = frames.countReady(/*isFinished=*/false);
    if (used == rows.rows || (!givesLatest && nextRow < numReady))
      return used;
    if (numReady - numTransformed >= kMostFrames) {
      transformUpTo(numReady);
      if (givesLatest)
        addUpTo(numReady);
    }
    frames.push(rows.row(used));
  }
}

int64_t IvectorStream::finish(float *ivectors, int64_t maxIvectors) {
  finished = true;
  int64_t numRows = 0;
  if (!model.options.givesLatest()) {
    numRows = writeRows(ivectors, maxIvectors);
    // Kaldi adds the frames after the last i-vector only with --repeat.
    if (!model.options.repeat || nextRow < frames.getNumPushed())
      return numRows;
  }
  transformUpTo(frames.getNumPushed());
  addUpTo(frames.getNumPushed());
  return numRows;
}

void IvectorStream::writeLatest(float *ivector) {
  const int64_t numReady = frames.countReady(finished);
  if (model.options.givesLatest() && numReady > numEstimated)
    estimateAt(numReady);
  write(ivector);
}

//===----------------------------------------------------------------------===//
// Utterances
//===----------------------------------------------------------------------===//

void IvectorStream::clear() {
  frames.clear();
  changes.clear();
  std::fill(solution.begin(), solution.end(), 0);
  logLikelihood = 0;
  numTransformed = firstChanged = nextRow = numEstimated = 0;
  hasWeights = finished = false;
}

void IvectorStream::beginUtterance() {
  const double most = model.options.maxRememberedFrames;
  frames.getCmvn().beginUtterance(most);
  const double mostCount = most * model.options.posteriorScale;
  if (statistics.count > mostCount)
    statistics.scale(mostCount / statistics.count);
  clear();
}

void IvectorStream::beginSpeaker() {
  frames.getCmvn().beginSpeaker();
  statistics.clear();
  clear();
}
