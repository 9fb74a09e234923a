//===- Library.cpp - Libraries of nnet3-compile in Python -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Library.h"
#include "runner/library/LibraryPrefix.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace nanobind::literals;
namespace nb = nanobind;

namespace nnet3::python {

void Library::check(const char *function, nnet3lib_status status,
                    const char *message) const {
  if (status == NNET3LIB_OK)
    return;
  if (*message)
    throw Error(message);
  throw Error(std::string(function) + ": " +
              model->getFunctions().error_text(status));
}

namespace {
/// An input or output matrix of a request.
struct Signature {
  std::string name;
  int32_t rows, cols;
  std::vector<int32_t> indexes; ///< n, t, x of each row; empty if not known
};

struct Request {
  std::string name;
  int32_t number, minOutputs;
  std::vector<Signature> inputs, outputs;
};

/// The memory of one run of a request at a time.
class Instance {
public:
  Instance(const Library &library, int32_t request, int32_t numThreads,
           uint64_t seed);
  ~Instance() { library.model->getFunctions().instance_destroy(instance); }
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  std::vector<OutputMatrix> run(const std::vector<InputMatrix> &inputs);
  void runInto(const std::vector<InputMatrix> &inputs,
               const std::vector<TargetMatrix> &outputs);

private:
  void run(const std::vector<InputMatrix> &inputs,
           const std::vector<nnet3lib_output> &outputs);

  Library library;
  nnet3lib_instance *instance = nullptr;
  std::vector<rt::LibraryMatrix> outputs;
};
} // namespace

static Library openLibrary(const std::string &path, const std::string &weights,
                           const std::string &prefix) {
  auto code = take(rt::SharedObject::openFile(path));
  const std::string found = take(rt::findPrefix(*code, path, prefix));
  nnet3lib_status status;
  return {take(rt::LibraryModel::open(code, found, weights, status))};
}

static nnet3lib_model_info getInfo(const Library &library) {
  nnet3lib_model_info info = {};
  info.struct_size = sizeof(info);
  library.check("get_model_info", library.model->getFunctions().get_model_info(
                                      library.model->get(), &info));
  return info;
}

/// Returns the text of \p get, one of the library's functions.
template <typename Function>
static const char *getText(const Library &library, const char *name,
                           Function *get) {
  const char *text = nullptr;
  library.check(name, get(library.model->get(), &text));
  return text;
}

static Signature getSignature(const Library &library, int32_t request,
                              int32_t index, bool isInput) {
  const auto &functions = library.model->getFunctions();
  nnet3lib_matrix_info info = {};
  info.struct_size = sizeof(info);
  library.check("get_matrix_info",
                (isInput ? functions.get_input_info
                         : functions.get_output_info)(library.model->get(),
                                                      request, index, &info));
  Signature result = {info.name, info.rows, info.cols, {}};
  for (int32_t row = 0; info.n && info.t && row < info.rows; ++row) {
    const int32_t x = info.x ? info.x[row] : 0;
    result.indexes.insert(result.indexes.end(), {info.n[row], info.t[row], x});
  }
  return result;
}

static std::vector<Request> getRequests(const Library &library) {
  std::vector<Request> requests;
  for (int32_t number = 0; number < library.model->numRequests(); ++number) {
    nnet3lib_request_info info = {};
    info.struct_size = sizeof(info);
    library.check("get_request_info",
                  library.model->getFunctions().get_request_info(
                      library.model->get(), number, &info));
    Request request = {info.name, number, info.min_outputs, {}, {}};
    for (int32_t i = 0; i < info.num_inputs; ++i)
      request.inputs.push_back(getSignature(library, number, i, true));
    for (int32_t i = 0; i < info.num_outputs; ++i)
      request.outputs.push_back(getSignature(library, number, i, false));
    requests.push_back(std::move(request));
  }
  return requests;
}

/// Returns the index (n, t, x) of each row, or None.
static std::optional<OutputIndexes> getIndexes(const Signature &signature) {
  if (signature.indexes.empty())
    return std::nullopt;
  auto result = makeMatrix<int32_t>(signature.rows, 3);
  std::copy(signature.indexes.begin(), signature.indexes.end(), result.data());
  return result;
}

Instance::Instance(const Library &library, int32_t request, int32_t numThreads,
                   uint64_t seed)
    : library(library), outputs(take(library.model->outputs(request))) {
  char message[512] = "";
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.num_threads = numThreads;
  options.seed = seed;
  options.message = message;
  options.message_size = sizeof(message);
  library.check("instance_create",
                library.model->getFunctions().instance_create_with(
                    library.model->get(), request, &options, &instance),
                message);
}

void Instance::run(const std::vector<InputMatrix> &inputs,
                   const std::vector<nnet3lib_output> &outputs) {
  std::vector<nnet3lib_input> given;
  for (const InputMatrix &input : inputs)
    given.push_back(describe(input));
  nnet3lib_status status;
  {
    nb::gil_scoped_release release;
    status = library.model->getFunctions().instance_run(
        instance, given.data(), static_cast<int32_t>(given.size()),
        outputs.data(), static_cast<int32_t>(outputs.size()));
  }
  library.check("instance_run", status);
}

std::vector<OutputMatrix>
Instance::run(const std::vector<InputMatrix> &inputs) {
  std::vector<OutputMatrix> results;
  std::vector<nnet3lib_output> described;
  for (const rt::LibraryMatrix &output : outputs) {
    results.push_back(makeMatrix<float>(output.rows, output.cols));
    described.push_back(describeOutput(results.back()));
  }
  run(inputs, described);
  return results;
}

void Instance::runInto(const std::vector<InputMatrix> &inputs,
                       const std::vector<TargetMatrix> &outputs) {
  std::vector<nnet3lib_output> described;
  for (const TargetMatrix &output : outputs)
    described.push_back(describeOutput(output));
  run(inputs, described);
}

void bindLibraries(nb::module_ &module) {
  nb::class_<Signature>(module, "Signature")
      .def_ro("name", &Signature::name)
      .def_ro("rows", &Signature::rows)
      .def_ro("cols", &Signature::cols)
      .def_prop_ro("indexes", getIndexes, nb::rv_policy::automatic,
                   "n, t and x of each row, or None");
  nb::class_<Request>(module, "Request")
      .def_ro("name", &Request::name)
      .def_ro("number", &Request::number)
      .def_ro("min_outputs", &Request::minOutputs)
      .def_ro("inputs", &Request::inputs)
      .def_ro("outputs", &Request::outputs);
  nb::class_<Library>(module, "Library")
      .def_static("open", openLibrary, "path"_a, "weights"_a = "",
                  "prefix"_a = "")
      .def_prop_ro("network",
                   [](const Library &self) { return getInfo(self).network; })
      .def_prop_ro("producer",
                   [](const Library &self) { return getInfo(self).producer; })
      .def_prop_ro(
          "weights_bytes",
          [](const Library &self) { return getInfo(self).weights_bytes; })
      .def_prop_ro("precision",
                   [](const Library &self) {
                     return getText(self, "get_precision",
                                    self.model->getFunctions().get_precision);
                   })
      .def_prop_ro("layers",
                   [](const Library &self) {
                     return getText(self, "get_layers",
                                    self.model->getFunctions().get_layers);
                   })
      .def_prop_ro("target",
                   [](const Library &self) {
                     return getText(self, "get_target",
                                    self.model->getFunctions().get_target);
                   })
      .def_prop_ro("has_stream",
                   [](const Library &self) {
                     nnet3lib_stream_info info = {};
                     info.struct_size = sizeof(info);
                     return self.model->getFunctions().get_stream_info(
                                self.model->get(), &info) == NNET3LIB_OK;
                   })
      .def("requests", getRequests);
  nb::class_<Instance>(module, "Instance")
      .def(nb::init<const Library &, int32_t, int32_t, uint64_t>(), "library"_a,
           "request"_a, "num_threads"_a = 1, "seed"_a = 0)
      .def("run",
           nb::overload_cast<const std::vector<InputMatrix> &>(&Instance::run),
           "inputs"_a)
      .def("run_into", &Instance::runInto, "inputs"_a, "outputs"_a.noconvert());
}

} // namespace nnet3::python
