//===- SpeakerState.h - Stored state of a speaker ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H
#define NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H

#include "IvectorStream.h"

#include <string_view>

namespace nnet3 {
namespace rt {

/// Returns the size of the state in Kaldi's binary format (spec: ivectors.md
/// 7).
size_t countSpeakerBytes(const IvectorModel &model);

/// Writes countSpeakerBytes() bytes.
void writeSpeaker(const IvectorModel &model, const IvectorStream &stream,
                  char *to);

/// Restores the state and starts an utterance of the speaker. Returns an empty
/// string, or an error message; after an error the stream is unchanged.
std::string readSpeaker(const IvectorModel &model, std::string_view bytes,
                        IvectorStream &stream);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_SPEAKERSTATE_H
