//===- TransitionModel.h - The head of acoustic models ----------*- C++ -*-===//
#ifndef NNET3_LIB_TARGET_KALDI_MODEL_TRANSITIONMODEL_H
#define NNET3_LIB_TARGET_KALDI_MODEL_TRANSITIONMODEL_H

#include "nnet3/Target/Kaldi/Reader.h"

namespace nnet3 {

/// Reads past a transition model, `<TransitionModel>` to `</TransitionModel>`,
/// in binary or text (spec: formats.md 6.1). A network's numbers do not depend
/// on it.
llvm::LogicalResult skipTransitionModel(KaldiReader &reader);

} // namespace nnet3

#endif // NNET3_LIB_TARGET_KALDI_MODEL_TRANSITIONMODEL_H
