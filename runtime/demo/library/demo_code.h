/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- demo_code.h - The image of the demo library ------------------------===*/

#ifndef NNET3_RUNTIME_DEMO_LIBRARY_DEMO_CODE_H
#define NNET3_RUNTIME_DEMO_LIBRARY_DEMO_CODE_H

#include "nnet3/runtime/GeneratedCode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** For tests, which open the library with variants of it. */
extern const nnet3lib_image demo_image;

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_DEMO_LIBRARY_DEMO_CODE_H */
