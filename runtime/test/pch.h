// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of the runtime's tests, which take a second to parse.
#include "nnet3/runtime/library_generated.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>
