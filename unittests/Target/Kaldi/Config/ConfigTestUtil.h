//===- ConfigTestUtil.h - Importing configs in tests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H
#define UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H

#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

namespace nnet3 {

/// A context that collects its diagnostics.
class ConfigTest : public ::testing::Test {
protected:
  ConfigTest()
      : context(mlir::MLIRContext::Threading::DISABLED),
        handler(&context, [this](mlir::Diagnostic &diag) {
          std::string place;
          if (auto loc = llvm::dyn_cast<mlir::FileLineColLoc>(
                  mlir::LocationAttr(diag.getLocation())))
            place = std::to_string(loc.getLine()) + ":" +
                    std::to_string(loc.getColumn()) + ": ";
          diagnostics.push_back(place + diag.str());
          return mlir::success();
        }) {
    context.loadDialect<mlir::nnet3::Nnet3Dialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> import(llvm::StringRef text) {
    diagnostics.clear();
    return importConfigs({ConfigSource{text, "test.config"}}, &context);
  }

  /// The network of a module that `import` gave.
  static mlir::nnet3::NetworkOp getNetwork(mlir::ModuleOp module) {
    return *module.getOps<mlir::nnet3::NetworkOp>().begin();
  }

  static std::string exportConfig(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    EXPECT_TRUE(mlir::succeeded(writeConfig(getNetwork(module), os)));
    return text;
  }

  mlir::MLIRContext context;
  /// `line:column: message` of each diagnostic of the last import.
  std::vector<std::string> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace nnet3

#endif // UNITTESTS_TARGET_KALDI_CONFIG_CONFIGTESTUTIL_H
