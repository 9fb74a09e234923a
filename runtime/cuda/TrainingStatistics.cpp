//===- TrainingStatistics.cpp - Statistics that steps add to --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingStatistics.h"
#include "train/ParameterUpdate.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

static const std::vector<DeviceStatistics> &
getStatistics(const TrainingShape &shape) {
  return shape.getRequest().request.statistics;
}

Status TrainingStatistics::check(const DeviceTrainingRequest &request) {
  const std::vector<DeviceStatistics> &list = request.request.statistics;
  Status status = checkStatistics(list, model);
  if (!status.ok())
    return status;
  if (known.empty())
    known = list;
  auto areSame = [](const DeviceStatistics &a, const DeviceStatistics &b) {
    return a.component == b.component && a.ofGradient == b.ofGradient;
  };
  if (!std::equal(list.begin(), list.end(), known.begin(), known.end(),
                  areSame))
    return invalidProgram("the statistics are others than in the programs "
                          "before");
  return Status();
}

Error TrainingStatistics::upload(const TrainingShape &shape) {
  const std::vector<double> numbers =
      packStatistics(getStatistics(shape), model, &delta);
  const DeviceMatrix matrix = getMatrix(getStatistics(shape));
  if (numbers.empty())
    return 0;
  const Error error = device.toDevice(
      shape.getPlace(matrix.place),
      reinterpret_cast<const float *>(numbers.data()), matrix.cols);
  return error ? error : device.wait();
}

Error TrainingStatistics::download(const TrainingShape &shape) {
  const DeviceMatrix matrix = getMatrix(getStatistics(shape));
  std::vector<double> numbers(matrix.cols / 2);
  if (numbers.empty())
    return 0;
  Error error = device.toHost(reinterpret_cast<float *>(numbers.data()),
                              shape.getPlace(matrix.place), matrix.cols);
  if (error == 0)
    error = device.wait();
  if (error == 0)
    unpackStatistics(getStatistics(shape), numbers, model, &delta);
  return error;
}

Error TrainingStatistics::move(const TrainingShape &from,
                               const TrainingShape &to) {
  const DeviceMatrix matrix = getMatrix(getStatistics(from));
  if (matrix.cols == 0)
    return 0;
  return device.getKernels().addDoubles(
      device.getStream(), to.getPlace(getMatrix(getStatistics(to)).place),
      from.getPlace(matrix.place), matrix.cols / 2, 0, 1);
}

std::vector<TrainingStatistics::Pair>
TrainingStatistics::getPairs(const TrainingShape &shape) const {
  std::vector<Pair> pairs;
  for (const DeviceStatistics &entry : getStatistics(shape))
    for (const DeviceStatistics &own : getStatistics(shape))
      if (entry.ofGradient && !own.ofGradient &&
          own.component == entry.component)
        pairs.push_back({model.findComponent(entry.component),
                         shape.getPlace(own.place), shape.getPlace(entry.place),
                         static_cast<int64_t>(entry.size)});
  return pairs;
}

Error TrainingStatistics::addL2(const TrainingShape &shape, double scale) {
  Error error = 0;
  for (const Pair &pair : getPairs(shape)) {
    const auto factor =
        static_cast<float>(scale * l2Factor(delta, pair.component));
    if (error == 0 && factor != 0)
      error = device.getKernels().addDoubles(device.getStream(), pair.delta,
                                             pair.own, pair.size, 1, factor);
  }
  return error;
}

Error TrainingStatistics::addDelta(const TrainingShape &shape,
                                   const std::vector<double> &scales) {
  Error error = 0;
  for (const Pair &pair : getPairs(shape))
    if (error == 0)
      error = device.getKernels().addDoubles(
          device.getStream(), pair.own, pair.delta, pair.size, 1,
          static_cast<float>(scales[pair.component]));
  return error;
}

Error TrainingStatistics::scaleDelta(const TrainingShape &shape, float factor) {
  Error error = 0;
  for (const Pair &pair : getPairs(shape))
    if (error == 0)
      error = device.getKernels().addDoubles(device.getStream(), pair.delta,
                                             pair.delta, pair.size, factor, 0);
  return error;
}

Error TrainingStatistics::scaleBatchNorm(const TrainingShape &shape,
                                         double scale) {
  Error error = 0;
  for (const DeviceStatistics &entry : getStatistics(shape)) {
    const Pointer place = shape.getPlace(entry.place);
    if (error == 0 && isBatchNorm(model, model.findComponent(entry.component)))
      error = device.getKernels().addDoubles(device.getStream(), place, place,
                                             static_cast<int64_t>(entry.size),
                                             scale, 0);
  }
  return error;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
