//===- SplicedFrames.cpp - Splicing and LDA of features -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplicedFrames.h"

#include <algorithm>

using namespace nnet3::rt;

/// Number of frames that transform() may read: kMostFrames and their context.
static int64_t countSpliced(const IvectorModel &model) {
  return model.splice.getNumFrames() + SplicedFrames::kMostFrames;
}

SplicedFrames::SplicedFrames(const IvectorModel &model)
    : model(model), cmvn(model),
      plain(std::max<int64_t>(countSpliced(model), model.cmvn.window + 1),
            model.featureDim),
      normalised(countSpliced(model), model.featureDim),
      spliced(kMostFrames * int64_t(model.splicedDim)) {}

void SplicedFrames::push(const float *row) {
  std::copy(row, row + model.featureDim, plain.row(numPushed));
  cmvn.normalise(plain, normalised.row(numPushed));
  ++numPushed;
}

int64_t SplicedFrames::countReady(bool isFinished) const {
  return isFinished
             ? numPushed
             : std::max<int64_t>(numPushed - model.splice.rightContext, 0);
}

void SplicedFrames::transform(const FrameRing &rows, int64_t first,
                              MatrixView out) {
  float *to = spliced.data();
  for (int64_t frame = first; frame < first + out.rows; ++frame)
    for (int64_t t = frame - model.splice.leftContext;
         t <= frame + model.splice.rightContext; ++t) {
      const float *row = rows.row(std::clamp<int64_t>(t, 0, numPushed - 1));
      to = std::copy(row, row + model.featureDim, to);
    }
  model.lda.apply(
      {spliced.data(), out.rows, model.splicedDim, model.splicedDim}, out);
}

void SplicedFrames::transform(int64_t first, int32_t count,
                              MatrixView forMixture, MatrixView forStatistics) {
  forMixture.rows = forStatistics.rows = count;
  transform(normalised, first, forMixture);
  transform(model.options.normalisedStatistics ? normalised : plain, first,
            forStatistics);
}
