//===- ConfigTestUtil.h - Importing configs in tests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H
#define UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H

#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

namespace mlir::nnet3 {

/// A context that collects its diagnostics.
class ConfigTest : public ::testing::Test {
protected:
  ConfigTest()
      : context(MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diag) {
          std::string place;
          if (auto loc = llvm::dyn_cast<FileLineColLoc>(
                  LocationAttr(diag.getLocation())))
            place = std::to_string(loc.getLine()) + ":" +
                    std::to_string(loc.getColumn()) + ": ";
          diagnostics.push_back(place + diag.str());
          return success();
        }) {
    context.loadDialect<Nnet3Dialect>();
  }

  OwningOpRef<ModuleOp> import(llvm::StringRef text) {
    diagnostics.clear();
    return importConfigs({ConfigSource{text, "test.config"}}, &context);
  }

  /// Returns the network of an imported module.
  static NetworkOp getNetwork(ModuleOp module) {
    return *module.getOps<NetworkOp>().begin();
  }

  static std::string exportConfig(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    EXPECT_TRUE(succeeded(writeConfig(getNetwork(module), os)));
    return text;
  }

  MLIRContext context;
  /// `line:column: message` of each diagnostic of the last import.
  std::vector<std::string> diagnostics;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::nnet3

#endif // UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H
