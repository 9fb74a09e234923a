/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What Android's C library has and GNU's has not. */
#include <errno.h>
int *__errno(void) { return &errno; }
