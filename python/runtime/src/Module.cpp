//===- Module.cpp - The module nnet3._runtime -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bindings.h"

using namespace nnet3::python;

NB_MODULE(_runtime, module) {
  module.doc() = "The C interfaces of the nnet3 runtime.";
  nanobind::exception<Error>(module, "Error", PyExc_RuntimeError);
  bindLibraries(module);
  bindStreams(module);
  bindScheduler(module);
  bindFeatures(module);
  bindPrograms(module);
}
