//===- DemoNetwork.h - The network of the demo library ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Request "chunk", three rows: an affine map, which is the hand-written code of
// demo/library/demo_code.c, then three calls: tanh in place, batch norm in
// training mode, which needs a scratch buffer, and a TDNN component over two
// neighbouring rows. Request "single": the affine map and tanh of one row.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_SUPPORT_DEMONETWORK_H
#define NNET3_RUNTIME_TEST_SUPPORT_DEMONETWORK_H

#include "test/library/LibraryWriter.h"

namespace nnet3 {
namespace rt {
namespace test {

/// The metadata and weights; demo_code.c repeats the offsets.
LibraryWriter demoNetwork();

/// The expected outputs for \p input, 3 x 4 or 1 x 4.
Matrix demoHidden(const Matrix &input);
Matrix demoOutput(const Matrix &input);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_DEMONETWORK_H
