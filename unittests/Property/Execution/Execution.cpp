//===- Execution.cpp - Compiles and runs cases ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "nnet3/Target/Program/ProgramEmitter.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

std::string mlir::nnet3::property::print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

std::string mlir::nnet3::property::printExpanded(ComputationOp original) {
  mlir::OpBuilder builder(original);
  auto module = mlir::OwningOpRef<mlir::ModuleOp>(
      mlir::ModuleOp::create(builder, original.getLoc()));
  builder.setInsertionPointToStart(module->getBody());
  mlir::Operation *computation = builder.clone(*original);
  computation->walk([](mlir::Operation *op) {
    mlir::AttrTypeReplacer replacer;
    replacer.addReplacement([](RowTableAttr table) -> mlir::Attribute {
      return RowTableAttr::get(table.getContext(),
                               llvm::ArrayRef(table.expand()));
    });
    replacer.addReplacement([](IndexesAttr indexes) -> mlir::Attribute {
      return IndexesAttr::get(indexes.getContext(), indexes.expand());
    });
    replacer.replaceElementsIn(op);
  });
  return print(*module);
}

Compiled mlir::nnet3::property::compile(const Case &test, RequestOp request,
                                        const CompileOptions &options) {
  Compiled result;
  mlir::ModuleOp module = test.getModule();
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        result.diagnostics += diagnostic.str() + "\n";
        return mlir::success();
      });
  mlir::FailureOr<NodeTable> nodes = NodeTable::get(test.getNetworkOp());
  if (mlir::failed(nodes))
    return result;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  mlir::FailureOr<ComputationOp> computation =
      compileRequest(builder, test.getNetworkOp(), *nodes, request, options);
  if (mlir::succeeded(computation))
    result.op = *computation;
  return result;
}

Compiled mlir::nnet3::property::compile(const Case &test, bool foldSequences,
                                        bool debugInfo) {
  CompileOptions options;
  options.foldSequences = foldSequences;
  options.debugInfo = debugInfo;
  return compile(test, test.getRequestOp(), options);
}

std::string mlir::nnet3::property::emit(const Case &test,
                                        ComputationOp computation) {
  mlir::FailureOr<ParameterBlob> blob =
      ParameterBlob::create(test.getNetworkOp());
  if (mlir::failed(blob))
    return "";
  mlir::FailureOr<std::string> bytes =
      emitProgram(computation, *blob, test.getRequestOp());
  return mlir::succeeded(bytes) ? *bytes : "";
}

/// Copies the outputs of an instance after a run.
static Outputs readOutputs(const rt::Instance &instance) {
  Outputs result;
  for (const rt::IoInfo &info : instance.program().outputs()) {
    auto view = instance.output(info.name);
    if (!view.ok())
      return {{}, view.status().message()};
    std::vector<float> &values = result.values[std::string(info.name)];
    for (int32_t row = 0; row < view->rows; ++row)
      values.insert(values.end(), view->row(row), view->row(row) + view->cols);
  }
  return result;
}

rt::Result<std::shared_ptr<const rt::Program>>
mlir::nnet3::property::load(const Case &test, ComputationOp computation) {
  mlir::FailureOr<ParameterBlob> blob =
      ParameterBlob::create(test.getNetworkOp());
  if (mlir::failed(blob))
    return rt::invalidArgument("no parameters");
  mlir::FailureOr<std::string> bytes =
      emitProgram(computation, *blob, test.getRequestOp());
  if (mlir::failed(bytes))
    return rt::invalidArgument("cannot emit the program");
  rt::LoadOptions options;
  options.weights = blob->getData().get();
  options.weightsSize = blob->getSize();
  options.keepAlive = blob->getData();
  return rt::Program::load(bytes->data(), bytes->size(), options);
}

rt::Status mlir::nnet3::property::setInputs(rt::Instance &instance,
                                            const std::vector<RandomIo> &list) {
  for (const RandomIo &io : list) {
    if (io.values.empty())
      continue;
    int32_t rows = io.rows.size(), cols = io.values.size() / io.rows.size();
    rt::Status status =
        instance.setInput(io.node, {io.values.data(), rows, cols, cols});
    if (!status.ok())
      return status;
  }
  return {};
}

Outputs mlir::nnet3::property::run(const Case &test, rt::Instance &instance) {
  rt::Status status = setInputs(instance, test.getRequest().inputs);
  if (status.ok())
    status = instance.run();
  if (!status.ok())
    return {{}, status.message()};
  return readOutputs(instance);
}

Outputs mlir::nnet3::property::run(const Case &test, ComputationOp computation,
                                   bool poison) {
  auto program = load(test, computation);
  if (!program.ok())
    return {{}, program.status().message()};
  rt::InstanceOptions options;
  options.poison = poison;
  auto instance = rt::Instance::create(*program, options);
  if (!instance.ok())
    return {{}, instance.status().message()};
  return run(test, **instance);
}
