//===- ComponentSamples.h - A component of each type ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_COMPONENTSAMPLES_H
#define NNET3_RUNTIME_TEST_SUPPORT_COMPONENTSAMPLES_H

#include "AttributeData.h"

#include <ostream>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// A component, and the sizes of its input and output.
struct ComponentSample {
  std::string type;
  std::string variant; ///< tells apart samples of one type; may be empty
  Attrs attrs;
  Attrs precomputed; ///< none where empty
  int32_t inRows = 4, inCols = 6;
  int32_t outRows = 4, outCols = 6;
  /// Properties that the specification gives it without need.
  uint32_t idleProperties = 0;
};

/// For messages of tests.
inline void PrintTo(const ComponentSample &sample, std::ostream *stream) {
  *stream << sample.type << " " << sample.variant;
}

/// Returns at least one sample of each type, in training mode, with statistics
/// that enable all optional behaviour.
std::vector<ComponentSample> componentSamples();

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_COMPONENTSAMPLES_H
