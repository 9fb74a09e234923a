/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The header of i-vectors is C99. */
#include "nnet3/runtime/nnet3_ivector.h"

int nnet3_use_ivector_header(void);

int nnet3_use_ivector_header(void) {
  return nnet3_ivector_abi_version() == NNET3_IVECTOR_ABI_VERSION;
}
