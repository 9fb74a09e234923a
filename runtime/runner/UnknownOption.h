//===- UnknownOption.h - Messages about unknown options ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H
#define NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H

#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

/// Returns the message about `argument`, which is not an option of `help`: its
/// value is missing, perhaps given as the argument `next`, or the most similar
/// option.
std::string describeUnknownOption(std::string_view argument,
                                  std::string_view next, std::string_view help);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H
