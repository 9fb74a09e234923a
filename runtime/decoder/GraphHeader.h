//===- GraphHeader.h - The beginning of OpenFst's files ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_DECODER_GRAPHHEADER_H
#define NNET3_RUNTIME_DECODER_GRAPHHEADER_H

#include <string>

namespace nnet3 {
namespace rt {

/// Returns whether the header and the symbol tables of a graph fit in its file.
/// OpenFst allocates what they ask for, and reads strings of any length on
/// beyond the end of the file.
bool hasSoundHeader(const std::string &path);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_DECODER_GRAPHHEADER_H
