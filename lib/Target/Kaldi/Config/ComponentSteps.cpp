//===- ComponentSteps.cpp - Short names of component types ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/ComponentSteps.h"
#include "ComponentTable.h"

#include "llvm/ADT/StringSwitch.h"

llvm::StringRef mlir::nnet3::findStepType(llvm::StringRef step) {
  return llvm::StringSwitch<llvm::StringRef>(step)
      .Case("affine", "NaturalGradientAffineComponent")
      .Case("linear", "LinearComponent")
      .Case("relu", "RectifiedLinearComponent")
      .Case("sigmoid", "SigmoidComponent")
      .Case("tanh", "TanhComponent")
      .Case("softmax", "SoftmaxComponent")
      .Case("log-softmax", "LogSoftmaxComponent")
      .Case("batchnorm", "BatchNormComponent")
      .Case("renorm", "NormalizeComponent")
      .Cases({"so", "scaleoffset"}, "ScaleAndOffsetComponent")
      .Case("fixed-scale", "FixedScaleComponent")
      .Case("fixed-bias", "FixedBiasComponent")
      .Case("product", "ElementwiseProductComponent")
      .Case("lstm_nonlin", "LstmNonlinearityComponent")
      .Case("dropout", "DropoutComponent")
      .Case("noop", "NoOpComponent")
      .Default("");
}

llvm::StringRef mlir::nnet3::findStepOperation(llvm::StringRef step) {
  const ComponentConfig *config = findComponentConfig(findStepType(step));
  return config ? llvm::StringRef(config->operation) : llvm::StringRef();
}
