/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The header of features is C99. */
#include "nnet3/runtime/nnet3_features.h"

int nnet3_use_features_header(void);

int nnet3_use_features_header(void) {
  return nnet3_features_abi_version() == NNET3_FEATURES_ABI_VERSION;
}
