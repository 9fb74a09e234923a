//===- CompiledLibrary.cpp - Running a library of nnet3-compile -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CompiledLibrary.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using mlir::nnet3::Index;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Returns `detail` if it is not empty, otherwise the text for `status`.
static std::string getMessage(const LibraryFunctions &functions,
                              nnet3lib_status status, StringRef detail = "") {
  return detail.empty() ? functions.error_text(status) : detail.str();
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Error CompiledLibrary::find(StringRef prefix, Lookup lookup) {
  std::string missing;
  auto find = [&](auto &function, StringRef name) {
    void *address = lookup((prefix + "_" + name).str());
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
    if (!address && missing.empty())
      missing = (prefix + "_" + name).str();
  };
  // Check the version first: another version may have other functions.
  find(functions.abi_version, "abi_version");
  if (functions.abi_version && functions.abi_version() != NNET3LIB_ABI_VERSION)
    return makeError("expects a library of version " +
                     llvm::Twine(NNET3LIB_ABI_VERSION) +
                     " of the interface, but got version " +
                     llvm::Twine(functions.abi_version()));
#define NNET3LIB_WRAPPER(name, signature) find(functions.name, #name);
#include "nnet3/runtime/LibraryWrappers.def"
  return missing.empty()
             ? Error::success()
             : makeError("the library has no function '" + missing + "'");
}

Error CompiledLibrary::openModel(const std::string &weights) {
  char message[512] = "";
  nnet3lib_open_options options = {};
  options.struct_size = sizeof(options);
  options.message = message;
  options.message_size = sizeof(message);
  nnet3lib_status status =
      functions.model_open(NNET3LIB_ABI_VERSION, &options, &model);
  if (status == NNET3LIB_NO_WEIGHTS && !weights.empty()) {
    options.weights_path = weights.c_str();
    status = functions.model_open(NNET3LIB_ABI_VERSION, &options, &model);
  }
  if (status == NNET3LIB_OK)
    return Error::success();
  return makeError(getMessage(functions, status, message));
}

Expected<std::shared_ptr<CompiledLibrary>>
CompiledLibrary::open(StringRef prefix, Lookup lookup,
                      std::shared_ptr<void> code, const std::string &weights) {
  std::shared_ptr<CompiledLibrary> library(new CompiledLibrary);
  library->code = std::move(code);
  if (Error error = library->find(prefix, lookup))
    return std::move(error);
  if (Error error = library->openModel(weights))
    return std::move(error);
  if (Error error = library->describe())
    return std::move(error);
  return library;
}

CompiledLibrary::~CompiledLibrary() {
  if (model)
    functions.model_close(model);
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

static std::vector<Index> getIndexes(const nnet3lib_matrix_info &info) {
  std::vector<Index> indexes;
  if (info.n && info.t)
    for (int32_t row = 0; row < info.rows; ++row)
      indexes.push_back({info.n[row], info.t[row], info.x ? info.x[row] : 0});
  return indexes;
}

Error CompiledLibrary::describe(int32_t number, Request &request) const {
  nnet3lib_request_info about = {};
  about.struct_size = sizeof(about);
  if (nnet3lib_status status =
          functions.get_request_info(model, number, &about))
    return makeError(getMessage(functions, status));
  request.name = about.name;
  request.minOutputs = about.min_outputs;
  auto add = [&](auto getInfo, int32_t count,
                 std::vector<Matrix> &matrices) -> Error {
    for (int32_t i = 0; i < count; ++i) {
      nnet3lib_matrix_info info = {};
      info.struct_size = sizeof(info);
      if (nnet3lib_status status = getInfo(model, number, i, &info))
        return makeError(getMessage(functions, status));
      matrices.push_back({info.name, info.rows, info.cols, getIndexes(info)});
    }
    return Error::success();
  };
  if (Error error =
          add(functions.get_input_info, about.num_inputs, request.inputs))
    return error;
  return add(functions.get_output_info, about.num_outputs, request.outputs);
}

Error CompiledLibrary::describe() {
  nnet3lib_model_info about = {};
  about.struct_size = sizeof(about);
  if (nnet3lib_status status = functions.get_model_info(model, &about))
    return makeError(getMessage(functions, status));
  requests.resize(about.num_requests);
  for (int32_t number = 0; number < about.num_requests; ++number)
    if (Error error = describe(number, requests[number]))
      return error;
  return Error::success();
}

bool CompiledLibrary::runsOnGpu() const {
  const char *target = nullptr;
  return functions.get_target(model, &target) == NNET3LIB_OK &&
         StringRef(target) == "cuda";
}

std::string CompiledLibrary::describeRequests() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto describe = [&](const Matrix &matrix) {
    os << matrix.name << " " << matrix.rows << " x " << matrix.cols;
  };
  llvm::interleaveComma(requests, os, [&](const Request &request) {
    os << "'" << request.name << "' (";
    llvm::interleaveComma(request.inputs, os, describe);
    os << " to ";
    llvm::interleaveComma(request.outputs, os, describe);
    os << ")";
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
class LibraryInstance : public RequestInstance {
public:
  LibraryInstance(std::shared_ptr<const CompiledLibrary> library,
                  const CompiledLibrary::Request &request,
                  nnet3lib_instance *instance)
      : library(std::move(library)), request(request), instance(instance),
        inputs(request.inputs.size()) {}
  ~LibraryInstance() override {
    library->getFunctions().instance_destroy(instance);
  }

  rt::Status setInput(StringRef name, rt::ConstMatrixView value) override;
  rt::Status run() override;
  rt::Result<rt::ConstMatrixView> output(StringRef name) const override;

private:
  rt::Status check(nnet3lib_status status) const {
    if (status == NNET3LIB_OK)
      return {};
    return rt::invalidArgument(library->getFunctions().error_text(status));
  }

  std::shared_ptr<const CompiledLibrary> library;
  const CompiledLibrary::Request &request;
  nnet3lib_instance *instance;
  /// Null until the caller sets them.
  std::vector<nnet3lib_input> inputs;
};
} // namespace

/// Returns the index of matrix `name`, or the number of matrices.
static size_t findMatrix(const std::vector<CompiledLibrary::Matrix> &matrices,
                         StringRef name) {
  return llvm::find_if(
             matrices,
             [&](const auto &matrix) { return matrix.name == name; }) -
         matrices.begin();
}

rt::Status LibraryInstance::setInput(StringRef name,
                                     rt::ConstMatrixView value) {
  const size_t number = findMatrix(request.inputs, name);
  if (number == inputs.size())
    return rt::invalidArgument(("there is no input '" + name + "'").str());
  inputs[number] = {value.data, value.stride, value.rows, value.cols};
  return {};
}

rt::Status LibraryInstance::run() {
  for (auto [input, about] : llvm::zip(inputs, request.inputs))
    if (!input.data)
      return rt::invalidArgument("input '" + about.name + "' is not given");
  rt::Status status = check(library->getFunctions().instance_run(
      instance, inputs.data(), int32_t(inputs.size()), nullptr, 0));
  // The inputs are borrowed for one run only.
  inputs.assign(inputs.size(), {});
  return status;
}

rt::Result<rt::ConstMatrixView> LibraryInstance::output(StringRef name) const {
  const size_t number = findMatrix(request.outputs, name);
  if (number == request.outputs.size())
    return rt::invalidArgument(("there is no output '" + name + "'").str());
  const float *data;
  int64_t stride;
  rt::Status status = check(library->getFunctions().instance_get_output(
      instance, int32_t(number), &data, &stride));
  if (!status.ok())
    return status;
  const CompiledLibrary::Matrix &about = request.outputs[number];
  return rt::ConstMatrixView(data, about.rows, about.cols, stride);
}

Expected<std::unique_ptr<RequestInstance>>
CompiledLibrary::makeInstance(int32_t number, int32_t numThreads) {
  nnet3lib_instance *instance;
  char message[512] = "";
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.num_threads = numThreads;
  options.message = message;
  options.message_size = sizeof(message);
  if (nnet3lib_status status =
          functions.instance_create_with(model, number, &options, &instance))
    return makeError(getMessage(functions, status, message));
  return std::make_unique<LibraryInstance>(shared_from_this(), requests[number],
                                           instance);
}
