/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- library_header_test.c - The header of a library alone --------------===*\
|*
|* Includes nothing before it; compiled as C99. demo/library/use_demo.c is C89,
|* LibraryTest.cpp is C++.
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

#include <stddef.h>

/* The fields below were added in version 8. */
typedef char open_options_size[offsetof(demo_open_options, weights) == 32 &&
                                       sizeof(demo_open_options) == 48
                                   ? 1
                                   : -1];
/* Sizes for callers of version 1 on 64-bit machines. */
typedef char model_info_size[sizeof(demo_model_info) == 32 ? 1 : -1];
typedef char request_info_size[sizeof(demo_request_info) == 32 ? 1 : -1];
typedef char matrix_info_size[sizeof(demo_matrix_info) == 48 ? 1 : -1];
typedef char input_size[sizeof(demo_input) == 24 ? 1 : -1];
typedef char output_size[sizeof(demo_output) == 24 ? 1 : -1];
