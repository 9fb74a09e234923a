//===- CompactFstText.h - Acceptors as text ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_EXAMPLES_COMPACTFSTTEXT_H
#define NNET3_KALDI_EXAMPLES_COMPACTFSTTEXT_H

#include "nnet3/Kaldi/Examples/CompactFst.h"

namespace nnet3::kaldi {

/// Reads or writes the text form: the rest of the current line, which is blank,
/// then lines `source target label label [weight]` and `state [weight]` up to
/// an empty line. The first state is the start.
llvm::LogicalResult readTextFst(KaldiReader &reader, CompactFst &fst);
void writeTextFst(KaldiWriter &writer, const CompactFst &fst);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_COMPACTFSTTEXT_H
