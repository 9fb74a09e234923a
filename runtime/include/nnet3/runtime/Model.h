//===- Model.h - What training changes of a network -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's weights are immutable. A Model is a copy of them, with the
// statistics, that an instance may use in place of the program's own, and that
// the backward commands update.
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

/// Receives the attributes of a component as a model file has them.
class AttributeWriter {
public:
  virtual ~AttributeWriter();
  virtual void real(const char *name, double value) = 0;
  virtual void flag(const char *name, bool value) = 0;
  /// A vector of \p size elements; size 0 for one that is empty.
  virtual void vector(const char *name, const double *values, int32_t size) = 0;
  /// The same, of numbers that model files have in double precision.
  virtual void doubles(const char *name, const double *values,
                       int32_t size) = 0;
  /// A parameter; a vector has one row.
  virtual void parameter(const char *name, ConstMatrixView values,
                         bool isVector) = 0;
};

/// The parameters and statistics of all components of a network. One thread at
/// a time may use a model that anything writes to.
class Model {
public:
  ~Model();
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  /// Parameters and statistics as \p program has them. Every program of the
  /// same network may then use the model.
  static Result<std::unique_ptr<Model>>
  create(std::shared_ptr<const Program> program);

  /// Whether \p program has the components that this model is of.
  Status checkProgram(const Program &program) const;
  /// Whether \p other is of the same components.
  Status checkModel(const Model &other) const;

  int32_t numComponents() const;
  std::string_view componentName(int32_t index) const;
  /// Kaldi's name of the type, such as "TanhComponent".
  std::string_view componentType(int32_t index) const;
  bool isUpdatable(int32_t index) const;
  float learningRate(int32_t index) const;
  /// What each preconditioner of the component has learnt of the gradient: the
  /// largest eigenvalues of the mean outer product of its rows, falling.
  std::vector<std::vector<double>> gradientSpectra(int32_t index) const;

  /// Sets all parameters of updatable components and all statistics to zero.
  void setZero();
  void zeroStatistics();
  /// From now on updates add the plain gradient: learning rate 1, no natural
  /// gradient.
  void setAsGradient();
  /// Sets the learning rates to \p rate times the components' factors, except
  /// in a gradient.
  void setUnderlyingLearningRate(float rate);

  /// Multiplies parameters of updatable components and statistics.
  void scale(float factor);
  /// Adds \p factor times those of \p other, a model of the same network.
  void add(float factor, const Model &other);
  /// The same for the component \p index alone.
  void addComponent(int32_t index, float factor, const Model &other);
  /// Adds to the parameter \p name of component \p component, of the same
  /// number of elements as \p values.
  Status addToParameter(std::string_view component, std::string_view name,
                        ConstMatrixView values);
  /// Inner product of the parameters of component \p index.
  double dotProduct(int32_t index, const Model &other) const;
  /// For all preconditioners.
  void freezeNaturalGradient(bool frozen);

  /// From now on preconditioners see the rows of all processes. Fails if there
  /// is a component whose preconditioners see no rows.
  Status setExchange(Exchange &exchange);
  /// Begins to sum the parameters of component \p index over processes.
  void beginSum(int32_t index, Exchange &exchange);
  /// Replaces parameters and statistics by the sum over processes of \p share
  /// times theirs.
  void average(Exchange &exchange, float share);
  /// Sums all statistics over processes.
  void sumStatistics(Exchange &exchange);

  /// Shows parameters, statistics and what preconditioners have learnt; names
  /// begin with \p prefix.
  Status visitState(const std::string &prefix, StateVisitor &visitor);

  /// Writes what the model has of component \p index.
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
