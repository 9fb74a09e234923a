//===- LibraryModel.cpp - A model of a library ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryModel.h"

namespace nnet3 {
namespace rt {

static Status libraryError(std::string message) {
  return Status(NNET3RT_INVALID_ARGUMENT, std::move(message));
}

/// Finds all functions of a library with prefix \p prefix.
static Result<LibraryFunctions> findFunctions(const SharedObject &code,
                                              const std::string &prefix) {
  LibraryFunctions functions;
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    const std::string symbol = prefix + "_" + name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        code.find(symbol));
    if (!function && missing.empty())
      missing = symbol;
  };
#define NNET3LIB_WRAPPER(name, signature) find(functions.name, #name);
#include "nnet3/runtime/LibraryWrappers.def"
  if (!missing.empty())
    return libraryError("the library has no function '" + missing + "'");
  return functions;
}

Status LibraryModel::check(const char *function, nnet3lib_status status) const {
  if (status == NNET3LIB_OK)
    return Status();
  return libraryError(std::string(function) + ": " +
                      functions.error_text(status));
}

Result<std::unique_ptr<LibraryModel>>
LibraryModel::open(std::shared_ptr<SharedObject> code,
                   const std::string &prefix, const std::string &weightsPath,
                   nnet3lib_status &status) {
  status = NNET3LIB_OK;
  auto functions = findFunctions(*code, prefix);
  if (!functions.ok())
    return functions.status();
  std::unique_ptr<LibraryModel> result(
      new LibraryModel(std::move(code), *functions));
  char message[512] = "";
  nnet3lib_open_options options = {};
  options.struct_size = sizeof(options);
  options.weights_path = weightsPath.empty() ? nullptr : weightsPath.c_str();
  options.message = message;
  options.message_size = sizeof(message);
  status =
      functions->model_open(NNET3LIB_ABI_VERSION, &options, &result->model);
  if (status != NNET3LIB_OK)
    return message[0] ? libraryError(message)
                      : result->check("model_open", status);
  nnet3lib_model_info info = {};
  info.struct_size = sizeof(info);
  if (Status error = result->check(
          "get_model_info", functions->get_model_info(result->model, &info));
      !error.ok())
    return error;
  result->requestCount = info.num_requests;
  return result;
}

LibraryModel::~LibraryModel() { functions.model_close(model); }

Result<nnet3lib_request_info> LibraryModel::requestInfo(int32_t request) const {
  nnet3lib_request_info info = {};
  info.struct_size = sizeof(info);
  if (Status error = check("get_request_info",
                           functions.get_request_info(model, request, &info));
      !error.ok())
    return error;
  return info;
}

Result<std::string> LibraryModel::requestName(int32_t request) const {
  auto info = requestInfo(request);
  if (!info.ok())
    return info.status();
  return std::string(info->name);
}

Result<int32_t> LibraryModel::findRequest(const std::string &name) const {
  int32_t request = 0;
  const nnet3lib_status status =
      functions.find_request(model, name.c_str(), &request);
  if (status == NNET3LIB_OK)
    return request;
  if (status != NNET3LIB_NO_SUCH_REQUEST)
    return check("find_request", status);
  std::string names;
  for (int32_t number = 0; number < requestCount; ++number) {
    auto known = requestName(number);
    if (!known.ok())
      return known.status();
    names += (number ? ", '" : " '") + *known + "'";
  }
  return libraryError("the library has no request '" + name + "'; it has" +
                      names);
}

Result<std::vector<LibraryMatrix>>
LibraryModel::matrices(int32_t request, int32_t count, bool areInputs) const {
  auto *describe =
      areInputs ? functions.get_input_info : functions.get_output_info;
  std::vector<LibraryMatrix> result;
  for (int32_t i = 0; i < count; ++i) {
    nnet3lib_matrix_info info = {};
    info.struct_size = sizeof(info);
    if (Status error = check(areInputs ? "get_input_info" : "get_output_info",
                             describe(model, request, i, &info));
        !error.ok())
      return error;
    result.push_back({info.name, info.rows, info.cols});
  }
  return result;
}

Result<std::vector<LibraryMatrix>> LibraryModel::inputs(int32_t request) const {
  auto info = requestInfo(request);
  if (!info.ok())
    return info.status();
  return matrices(request, info->num_inputs, /*areInputs=*/true);
}

Result<std::vector<LibraryMatrix>>
LibraryModel::outputs(int32_t request) const {
  auto info = requestInfo(request);
  if (!info.ok())
    return info.status();
  return matrices(request, info->num_outputs, /*areInputs=*/false);
}

static std::string describeDims(int32_t rows, int32_t cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// Checks the dims of input \p expected of a request.
Status LibraryModel::checkInput(int32_t request, const LibraryMatrix &expected,
                                const ConstMatrixView &given) const {
  if (given.rows == expected.rows && given.cols == expected.cols)
    return Status();
  auto info = requestInfo(request);
  if (!info.ok())
    return info.status();
  std::string message = "request '" + std::string(info->name) +
                        "' expects input '" + expected.name + "' of " +
                        describeDims(expected.rows, expected.cols) +
                        ", but got " + describeDims(given.rows, given.cols);
  if (given.rows < expected.rows && given.cols == expected.cols)
    message += "; padding the input at its end leaves the first outputs exact "
               "if they are at least " +
               std::to_string(info->min_outputs) +
               " rows per sequence, and a chunk of its own length "
               "(nnet3-compile --chunk) always does";
  return libraryError(std::move(message));
}

Status LibraryModel::runInstance(int32_t request,
                                 const std::vector<nnet3lib_input> &from,
                                 const std::vector<nnet3lib_output> &to,
                                 const Runs &runs,
                                 nnet3lib_status &status) const {
  char message[1024] = "";
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.seed = runs.seed;
  options.message = message;
  options.message_size = sizeof(message);
  nnet3lib_instance *instance = nullptr;
  status = functions.instance_create_with(model, request, &options, &instance);
  if (status != NNET3LIB_OK)
    return message[0] ? libraryError(message)
                      : check("instance_create_with", status);
  for (int i = 0; i < runs.times && status == NNET3LIB_OK; ++i)
    status = functions.instance_run(instance, from.data(), int32_t(from.size()),
                                    to.data(), int32_t(to.size()));
  functions.instance_destroy(instance);
  return check("instance_run", status);
}

Result<nnet3lib_tuning_info> LibraryModel::tuningInfo() const {
  nnet3lib_tuning_info info = {};
  info.struct_size = sizeof(info);
  if (Status error =
          check("get_tuning_info", functions.get_tuning_info(model, &info));
      !error.ok())
    return error;
  return info;
}

Result<std::vector<unsigned char>> LibraryModel::tune() const {
  auto info = tuningInfo();
  if (!info.ok())
    return info.status();
  std::vector<unsigned char> bytes(info->bytes);
  char message[512] = "";
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.message = message;
  options.message_size = sizeof(message);
  const nnet3lib_status status =
      functions.tune(model, &options, bytes.data(), bytes.size());
  if (status != NNET3LIB_OK)
    return message[0] ? libraryError(message) : check("tune", status);
  return bytes;
}

Result<std::map<std::string, OwnedMatrix>>
LibraryModel::run(int32_t request,
                  const std::map<std::string, ConstMatrixView> &given,
                  const Runs &runs, nnet3lib_status &status) const {
  status = NNET3LIB_OK;
  auto takes = inputs(request);
  auto gives = outputs(request);
  if (!takes.ok() || !gives.ok())
    return takes.ok() ? gives.status() : takes.status();
  std::vector<nnet3lib_input> from;
  for (const LibraryMatrix &input : *takes) {
    auto found = given.find(input.name);
    if (found == given.end())
      return libraryError("input '" + input.name + "' is not given");
    const ConstMatrixView &view = found->second;
    if (Status error = checkInput(request, input, view); !error.ok()) {
      status = NNET3LIB_WRONG_DIMS;
      return error;
    }
    from.push_back({view.data, view.stride, view.rows, view.cols});
  }
  std::map<std::string, OwnedMatrix> results;
  std::vector<nnet3lib_output> to;
  for (const LibraryMatrix &output : *gives) {
    OwnedMatrix &matrix = results[output.name];
    matrix.rows = output.rows;
    matrix.cols = output.cols;
    matrix.values.resize(size_t(output.rows) * output.cols);
    to.push_back({matrix.values.data(), output.cols, output.rows, output.cols});
  }
  if (Status error = runInstance(request, from, to, runs, status); !error.ok())
    return error;
  return results;
}

} // namespace rt
} // namespace nnet3
