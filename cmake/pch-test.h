// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of unit tests.
#include "pch-code.h"

#include "gtest/gtest.h"
