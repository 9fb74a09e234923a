//===- DeviceExecution.h - Cases on a device that is not there --*- C++ -*-===//

#ifndef NNET3_UNITTESTS_PROPERTY_DEVICEEXECUTION_H
#define NNET3_UNITTESTS_PROPERTY_DEVICEEXECUTION_H

#include "Execution.h"

#include "HostKernels.h"
#include "nnet3/Pipelines/RequestRunner.h"

namespace nnet3::property {

/// The values of an input, or the derivative of an output, as a matrix.
runtime::ConstMatrixView getRows(const RandomIo &io, const NodeTable &nodes);

/// The outputs of a run on the case's inputs.
Outputs runOnce(const Case &test, RequestInstance &instance);

/// The outputs of three runs, which are equal: launched, recorded, replayed.
Outputs runThreeTimes(const Case &test, RequestInstance &instance);

} // namespace nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_DEVICEEXECUTION_H
