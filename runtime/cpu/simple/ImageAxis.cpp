//===- ImageAxis.cpp - Windows that move along an image -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImageAxis.h"

#include <limits>
#include <string>

namespace nnet3 {
namespace rt {

ImageAxis readImageAxis(AttributeReader &attributes, const char *inputName,
                        const char *sizeName, const char *stepName) {
  const ImageAxis axis = {attributes.dim(inputName), attributes.dim(sizeName),
                          attributes.dim(stepName)};
  if (axis.size <= axis.input && (axis.input - axis.size) % axis.step == 0)
    return axis;
  attributes.fail("expects steps from the begin to the end of " +
                  std::string(inputName) + " " + std::to_string(axis.input) +
                  ", but got " + sizeName + " " + std::to_string(axis.size) +
                  " and " + stepName + " " + std::to_string(axis.step));
  return {1, 1, 1};
}

int32_t imageSize(AttributeReader &attributes, int64_t a, int64_t b,
                  int64_t c) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (a * b <= kMost && a * b * c <= kMost)
    return static_cast<int32_t>(a * b * c);
  attributes.fail("has images of 2^31 pixels or more");
  return 1;
}

} // namespace rt
} // namespace nnet3
