//===- SchedulerApi.h - Schedulers of opened models -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H

#include "Scheduler.h"

/// A scheduler, and the owner of its library and model.
struct nnet3sc_scheduler {
  std::shared_ptr<void> library;
  std::unique_ptr<nnet3::rt::Scheduler> scheduler;
};

namespace nnet3 {
namespace rt {

/// Implements nnet3sc_create() for an opened model, which \p library owns.
nnet3sc_status createScheduler(const LibraryFunctions &functions,
                               const nnet3lib_model *model,
                               std::shared_ptr<void> library,
                               const nnet3sc_options *options,
                               nnet3sc_scheduler **scheduler);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H
