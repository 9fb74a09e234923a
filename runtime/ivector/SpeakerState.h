//===- SpeakerState.h - What is stored of a speaker -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H
#define NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H

#include "IvectorStream.h"

#include <string_view>

namespace nnet3 {
namespace rt {

/// Bytes of the state, as Kaldi's servers store it (spec: ivectors.md 7).
size_t countSpeakerBytes(const IvectorModel &model);

/// Writes so many bytes.
void writeSpeaker(const IvectorModel &model, const IvectorStream &stream,
                  char *to);

/// Returns what is wrong with the bytes, and leaves the stream as it was then;
/// else an empty string, and the stream begins an utterance of the speaker.
std::string readSpeaker(const IvectorModel &model, std::string_view bytes,
                        IvectorStream &stream);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H
