//===- PrintableText.h - Escaping of text for terminals ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_PRINTABLETEXT_H
#define NNET3_RUNTIME_RUNNER_PRINTABLETEXT_H

#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

/// Escapes control characters and bytes that are not UTF-8 in `text` as `\1B`,
/// and truncates it to about 1000 bytes.
std::string makePrintable(std::string_view text);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_PRINTABLETEXT_H
