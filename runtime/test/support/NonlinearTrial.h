//===- NonlinearTrial.h - Nonlinearities run backward -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_NONLINEARTRIAL_H
#define NNET3_RUNTIME_TEST_SUPPORT_NONLINEARTRIAL_H

#include "BackpropTrial.h"
#include "core/ComponentState.h"

namespace nnet3 {
namespace rt {
namespace test {

/// Positions of the statistics.
enum NonlinearStatistic {
  kValueSum,
  kDerivSum,
  kCount,
  kOderivSumsq,
  kOderivCount,
  kNumRepaired,
  kNumProcessed
};

using Vector = std::vector<double>;

/// \p rows rows of \p dim columns.
inline BackpropTrial trialOf(const std::string &type, int32_t rows,
                             int32_t dim) {
  BackpropTrial trial;
  trial.type = type;
  trial.attrs = {{"dim", dim}};
  trial.outRows = rows;
  trial.outCols = dim;
  return trial;
}

/// Returns the statistics of the network.
inline const std::vector<Vector> &statistics(const BackpropResult &result) {
  return result.model->state(0).statistics;
}

/// A type of component, with f'(x) as a function of y = f(x).
struct NonlinearType {
  const char *name;
  double (*deriv)(double y);
  bool inPlaceForward, inPlaceBackward;
};

inline const NonlinearType kRelu = {"RectifiedLinearComponent",
                                    [](double y) { return y > 0 ? 1.0 : 0.0; },
                                    true, false};
inline const NonlinearType kSigmoid = {
    "SigmoidComponent", [](double y) { return y * (1 - y); }, true, false};
inline const NonlinearType kTanh = {
    "TanhComponent", [](double y) { return 1 - y * y; }, true, false};
inline const NonlinearType kSoftmax = {"SoftmaxComponent", nullptr, true, true};
inline const NonlinearType kLogSoftmax = {"LogSoftmaxComponent", nullptr, false,
                                          false};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_NONLINEARTRIAL_H
