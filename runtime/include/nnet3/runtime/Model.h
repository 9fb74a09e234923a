//===- Model.h - Parameters and statistics of a network -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's weights are immutable. A Model is a copy of the weights and the
// statistics. An instance may use it instead of the program's weights, and
// backward commands update it.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_MODEL_H
#define NNET3_RUNTIME_MODEL_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/StateVisitor.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

struct ComponentState;
class Component;
class ThreadPool;

/// Receives the attributes of a component under the names of model files.
class AttributeWriter {
public:
  virtual ~AttributeWriter();
  virtual void real(const char *name, double value) = 0;
  virtual void flag(const char *name, bool value) = 0;
  /// A vector of \p size elements; \p size 0 is an empty vector.
  virtual void vector(const char *name, const double *values, int32_t size) = 0;
  /// A vector that model files store in double precision.
  virtual void doubles(const char *name, const double *values,
                       int32_t size) = 0;
  /// A parameter; a vector has one row.
  virtual void parameter(const char *name, ConstMatrixView values,
                         bool isVector) = 0;
};

/// The parameters and statistics of all components of a network. A model that
/// is modified may be used by one thread at a time.
class Model {
public:
  ~Model();
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  /// Creates a model with the initial parameters and statistics of \p program.
  /// All programs of the same network may use it.
  static Result<std::unique_ptr<Model>>
  create(std::shared_ptr<const Program> program);

  /// Fails unless \p program has the components of this model.
  Status checkProgram(const Program &program) const;
  /// Fails unless \p other has the same components.
  Status checkModel(const Model &other) const;

  int32_t numComponents() const;
  /// The index of the component of that name; -1 if there is none.
  int32_t findComponent(std::string_view name) const;
  std::string_view componentName(int32_t index) const;
  /// Kaldi's name of the type, such as "TanhComponent".
  std::string_view componentType(int32_t index) const;
  bool isUpdatable(int32_t index) const;
  float learningRate(int32_t index) const;
  /// For each preconditioner of the component, the largest eigenvalues of its
  /// estimate of the covariance of gradient rows, in descending order.
  std::vector<std::vector<double>> gradientSpectra(int32_t index) const;

  /// Sets all parameters of updatable components and all statistics to zero.
  void setZero();
  void zeroStatistics();
  /// Makes later updates add the plain gradient: learning rate 1, no natural
  /// gradient.
  void setAsGradient();
  /// Sets the learning rates to \p rate times the components' factors, except
  /// in a gradient.
  void setUnderlyingLearningRate(float rate);
  /// Multiplies all learning rates, also of the parts of composites.
  void scaleLearningRates(float factor);

  /// Multiplies the parameters of updatable components, and all statistics. The
  /// threads of \p threads share this and the work of the next functions; the
  /// result does not depend on their number.
  void scale(float factor, ThreadPool *threads = nullptr);
  /// Adds \p factor times the parameters of updatable components and all
  /// statistics of \p other, a model of the same network.
  void add(float factor, const Model &other);
  /// As add(), with a factor for each component; 0 leaves it as it is.
  void addComponents(const std::vector<double> &factors, const Model &other,
                     ThreadPool *threads = nullptr);
  /// Returns the sum of squares of the parameters of each updatable component.
  std::vector<double> sumSquares(ThreadPool *threads = nullptr) const;
  /// Adds \p values to the parameter \p name of component \p component, which
  /// has the same number of elements.
  Status addToParameter(std::string_view component, std::string_view name,
                        ConstMatrixView values);
  /// Returns the dot product of the parameters of component \p index of the two
  /// models.
  double dotProduct(int32_t index, const Model &other) const;
  /// Freezes or unfreezes the estimates of all preconditioners.
  void freezeNaturalGradient(bool frozen);

  /// Makes preconditioners estimate from the rows of all processes. Fails if a
  /// component's preconditioners do not work on rows.
  Status setExchange(Exchange &exchange);
  /// Starts an asynchronous sum of the parameters of component \p index over
  /// processes.
  void beginSum(int32_t index, Exchange &exchange);
  /// Replaces parameters and statistics by their weighted sum over processes;
  /// \p share is the weight of this process.
  void average(Exchange &exchange, float share);
  /// Sums all statistics over processes.
  void sumStatistics(Exchange &exchange);

  /// Visits the parameters, the statistics and the state of preconditioners.
  /// Names begin with \p prefix.
  Status visitState(const std::string &prefix, StateVisitor &visitor);

  /// Writes the attributes of component \p index that the model holds.
  void exportComponent(int32_t index, AttributeWriter &writer) const;

  /// The runtime's own.
  ComponentState &state(int32_t index);
  const ComponentState &state(int32_t index) const;
  const Component &component(int32_t index) const;

private:
  struct Data;
  explicit Model(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_MODEL_H
