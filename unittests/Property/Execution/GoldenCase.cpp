//===- GoldenCase.cpp - Cases of the reference ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GoldenCase.h"
#include "Networks/Case.h"

#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

static constexpr llvm::StringLiteral kGolden = NNET3_TEST_INPUTS "/golden/";

/// Returns the folders that contain a request.
std::vector<std::string>
mlir::nnet3::property::getGoldenCases(const std::string &family) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator
           entry(kGolden + family, error),
       end;
       entry != end && !error; entry.increment(error)) {
    llvm::StringRef path = entry->path();
    if (path.consume_front(kGolden) && path.consume_back("/request.txt"))
      names.push_back(path.str());
  }
  llvm::sort(names);
  return names;
}

std::unique_ptr<GoldenCase>
mlir::nnet3::property::loadGoldenCase(const std::string &name) {
  const std::string directory = (kGolden + name + "/").str();
  auto text = llvm::MemoryBuffer::getFile(directory + "case.json");
  if (!text)
    return nullptr;
  auto json = llvm::json::parse((*text)->getBuffer());
  if (!json)
    return nullptr;
  const llvm::json::Object &entry = *json->getAsObject();
  auto test = std::make_unique<GoldenCase>();
  test->context = makeContext();
  test->module = mlir::nnet3::loadModel(
      directory + entry.getString("model")->str(), test->context.get());
  test->network = mlir::nnet3::getOnlyNetwork(*test->module);
  auto requests = mlir::nnet3::readRequestFile(
      directory + entry.getString("request")->str(), test->network);
  if (mlir::failed(requests))
    return nullptr;
  test->request = requests->front();
  for (const llvm::json::Value &value : *entry.getArray("files")) {
    const llvm::json::Object &file = *value.getAsObject();
    const llvm::StringRef kind = *file.getString("kind");
    const std::string path = directory + file.getString("file")->str();
    // Large derivatives are not in the tree.
    if ((kind != "input" && kind != "outderiv") || !llvm::sys::fs::exists(path))
      continue;
    auto matrix = ::nnet3::kaldi::readMatrixFile(path);
    if (!matrix) {
      llvm::consumeError(matrix.takeError());
      return nullptr;
    }
    test->operands.push_back(
        {file.getString("node")->str(), kind != "input", std::move(*matrix)});
  }
  return test;
}

bool mlir::nnet3::property::makeForward(GoldenCase &test) {
  mlir::PassManager passes(test.context.get(), NetworkOp::getOperationName());
  passes.addPass(createNnet3SetTestMode());
  if (mlir::failed(passes.run(test.network)))
    return false;
  test.request.setNeedModelDerivative(false);
  test.request.setStoreComponentStats(false);
  for (auto input : test.request.getOps<RequestInputOp>())
    input.setHasDeriv(false);
  for (auto output : test.request.getOps<RequestOutputOp>())
    output.setHasDeriv(false);
  llvm::erase_if(test.operands,
                 [](const Operand &operand) { return operand.isDerivative; });
  return true;
}
