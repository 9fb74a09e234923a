// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// net.hpp - A library made by nnet3-compile --prefix=net, in C++
//
// Destructors release the objects that net.h creates, and errors are
// exceptions. For a library of another prefix, replace net and NET.

#ifndef NET_HPP
#define NET_HPP

#include "net.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace net {

/// An error status of a function of the library.
class Error : public std::runtime_error {
public:
  Error(net_status status, const std::string &what)
      : std::runtime_error(what), status(status) {}
  const net_status status;
};

inline void check(net_status status) {
  if (status != NET_OK)
    throw Error(status, net_error_text(status));
}

/// Row-major, without gaps between the rows.
struct Matrix {
  Matrix(int32_t rows, int32_t cols)
      : rows(rows), cols(cols), values(size_t(rows) * size_t(cols)) {}
  int32_t rows, cols;
  std::vector<float> values;
};

/// An input or output of a request.
struct Signature {
  std::string name;
  int32_t rows, cols;
  /// The sequence and the time of each row; null where the library does not
  /// say. Owned by the model.
  const int32_t *n = nullptr, *t = nullptr;
};

/// A struct of net.h, zeroes with struct_size set.
template <typename Struct> Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(value);
  return value;
}

/// The library with its weights; threads may share it.
class Model {
public:
  /// \p weights is the file of the weights, where they are not in the library.
  explicit Model(const char *weights = nullptr) {
    char message[512] = "";
    auto options = sized<net_open_options>();
    options.weights_path = weights;
    options.message = message;
    options.message_size = sizeof(message);
    net_model *opened = nullptr;
    const net_status status =
        net_model_open(NET_ABI_VERSION, &options, &opened);
    if (status != NET_OK)
      throw Error(status, *message ? message : net_error_text(status));
    model.reset(opened);
  }

  /// The number of the request called \p name.
  int32_t find(const std::string &name) const {
    int32_t request = 0;
    const net_status status =
        net_find_request(model.get(), name.c_str(), &request);
    if (status != NET_NO_SUCH_REQUEST) {
      check(status);
      return request;
    }
    std::string known;
    for (int32_t i = 0; i < numRequests(); ++i)
      known += std::string(i ? ", '" : " '") + info(i).name + "'";
    throw Error(status,
                "there is no request '" + name + "'; there are" + known);
  }
  int32_t numRequests() const {
    auto about = sized<net_model_info>();
    check(net_get_model_info(model.get(), &about));
    return about.num_requests;
  }
  std::string name(int32_t request) const { return info(request).name; }
  /// How few output rows of a sequence are exact if the input behind them is
  /// padding; all of them if padding changes every output.
  int32_t minOutputs(int32_t request) const {
    return info(request).min_outputs;
  }
  std::vector<Signature> inputs(int32_t request) const {
    return list(request, info(request).num_inputs, net_get_input_info);
  }
  std::vector<Signature> outputs(int32_t request) const {
    return list(request, info(request).num_outputs, net_get_output_info);
  }
  const net_model *get() const { return model.get(); }

private:
  struct Close {
    void operator()(net_model *opened) const { net_model_close(opened); }
  };

  net_request_info info(int32_t request) const {
    auto result = sized<net_request_info>();
    check(net_get_request_info(model.get(), request, &result));
    return result;
  }
  std::vector<Signature> list(int32_t request, int32_t count,
                              decltype(&net_get_input_info) ask) const {
    std::vector<Signature> result;
    for (int32_t i = 0; i < count; ++i) {
      auto about = sized<net_matrix_info>();
      check(ask(model.get(), request, i, &about));
      result.push_back({about.name, about.rows, about.cols, about.n, about.t});
    }
    return result;
  }

  std::unique_ptr<net_model, Close> model;
};

/// The memory of one run of one request at a time; one per thread. It may
/// outlive the model.
class Instance {
public:
  /// \p numThreads threads share large matrix products.
  Instance(const Model &model, int32_t request, int32_t numThreads = 1)
      : outputs(model.outputs(request)) {
    auto options = sized<net_instance_options>();
    options.num_threads = numThreads;
    net_instance *created = nullptr;
    check(net_instance_create_with(model.get(), request, &options, &created));
    instance.reset(created);
  }

  /// Computes the request; inputs and outputs are in the signature's order.
  std::vector<Matrix> run(const std::vector<Matrix> &inputs) {
    std::vector<net_input> given;
    for (const Matrix &in : inputs)
      given.push_back({in.values.data(), in.cols, in.rows, in.cols});
    std::vector<Matrix> results;
    for (const Signature &output : outputs)
      results.emplace_back(output.rows, output.cols);
    std::vector<net_output> wanted;
    for (Matrix &out : results)
      wanted.push_back({out.values.data(), out.cols, out.rows, out.cols});
    check(net_instance_run(instance.get(), given.data(), int32_t(given.size()),
                           wanted.data(), int32_t(wanted.size())));
    return results;
  }

private:
  struct Destroy {
    void operator()(net_instance *created) const {
      net_instance_destroy(created);
    }
  };

  std::vector<Signature> outputs;
  std::unique_ptr<net_instance, Destroy> instance;
};

} // namespace net

#endif // NET_HPP
