//===- UnknownOption.h - What was meant by an option ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H
#define NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H

#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

/// The message about `argument`, which is none of the options in `help`: that
/// its value is missing, which `next` may be, or which option is nearest.
std::string describeUnknownOption(std::string_view argument,
                                  std::string_view next, std::string_view help);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_UNKNOWNOPTION_H
