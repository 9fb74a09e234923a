/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The header of schedulers stands alone, and is C. */

#include "nnet3/runtime/nnet3_scheduler.h"

/* Called by SchedulerErrorTest.cpp. */
nnet3sc_status create_scheduler_in_c(const char *path);
nnet3sc_status create_scheduler_in_c(const char *path) {
  nnet3sc_scheduler *scheduler;
  const nnet3sc_status status = nnet3sc_create(
      path, "demo", (const char *)0, (const nnet3sc_options *)0, &scheduler);
  nnet3sc_destroy(scheduler);
  return status;
}
