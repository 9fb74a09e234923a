//===- SchedulerApi.h - Schedulers of models that are open ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H
#define NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H

#include "Scheduler.h"

/// A scheduler, and what its model needs as long as it lives.
struct nnet3sc_scheduler {
  std::shared_ptr<void> library;
  std::unique_ptr<nnet3::rt::Scheduler> scheduler;
};

namespace nnet3 {
namespace rt {

/// What nnet3sc_create() does for a model that is open, which \p library keeps.
nnet3sc_status createScheduler(const LibraryFunctions &functions,
                               const nnet3lib_model *model,
                               std::shared_ptr<void> library,
                               const nnet3sc_options *options,
                               nnet3sc_scheduler **scheduler);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_SCHEDULERAPI_H
