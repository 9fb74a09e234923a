//===- Attributes.h - Reading a component's attributes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_ATTRIBUTES_H
#define NNET3_RUNTIME_CORE_ATTRIBUTES_H

#include "nnet3/runtime/Status.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nnet3 {
namespace rt {

/// The weights of a program, and the number of bytes that tensors have not
/// claimed yet. Tensors must not share bytes, so that their total size, and the
/// size of data that components derive from them, is bounded by the weights.
struct Weights {
  const unsigned char *data = nullptr;
  uint64_t size = 0;
  uint64_t unclaimed = 0;
};

/// A borrowed list of integers.
struct IntList {
  const flatbuffers::Vector<int64_t> *list = nullptr;

  uint32_t size() const { return list ? list->size() : 0; }
  int64_t operator[](uint32_t i) const { return list->Get(i); }
};

/// A list of integers with one entry per row.
using RowEntries = std::vector<int32_t>;

/// The subject of an error message; borrowed strings.
struct ErrorOwner {
  const char *kind = "";
  std::string_view name;
  std::string_view type;
};

/// Keeps the first error, as "<kind> '<name>' of type <type> <message>".
class ErrorSink {
public:
  explicit ErrorSink(ErrorOwner owner) : owner(owner) {}

  bool ok() const { return error.ok(); }
  const Status &status() const { return error; }
  void fail(const std::string &message);
  /// Keeps the error of another sink, if it has one.
  void take(const ErrorSink &other) {
    if (ok())
      error = other.error;
  }

protected:
  ErrorOwner owner;

private:
  Status error;
};

/// The values that a number may take.
enum class NumberRange { Any, Positive, NonNegative, UpToOne };

/// Typed access to a list of attributes. After a failure, reads return harmless
/// values; status() returns the first failure.
class AttributeReader : public ErrorSink {
public:
  using List = flatbuffers::Vector<flatbuffers::Offset<schema::Attribute>>;

  /// \p list may be null. Reads attributes whose names begin with \p prefix;
  /// callers give names without it.
  AttributeReader(const List *list, Weights &weights, ErrorOwner owner,
                  std::string prefix = "")
      : ErrorSink(owner), list(list), weights(weights),
        prefix(std::move(prefix)) {}

  /// Returns a reader of the attributes of part \p number, from 1, of a
  /// composite.
  AttributeReader part(int32_t number) const;

  bool has(const char *name) const { return find(name) != nullptr; }

  /// A required integer from 1 to 2^31 - 1.
  int32_t dim(const char *name);
  /// As above; \p otherwise if the attribute is absent.
  int32_t dim(const char *name, int32_t otherwise);
  /// A required integer from \p least to 2^31 - 1.
  int32_t integer(const char *name, int32_t least);
  /// As above; \p otherwise if the attribute is absent.
  int32_t integer(const char *name, int32_t least, int32_t otherwise);
  /// A finite number; the attribute may be an integer.
  double real(const char *name, double otherwise);
  /// A number within \p range and the range of float32.
  float number(const char *name, float otherwise,
               NumberRange range = NumberRange::Any);
  bool flag(const char *name, bool otherwise);
  /// One of \p words.
  std::string_view word(const char *name, const char *otherwise,
                        std::initializer_list<std::string_view> words);
  /// A required text.
  std::string_view text(const char *name);
  /// \p size finite numbers; empty if the attribute is absent.
  std::vector<double> doubles(const char *name, size_t size);
  /// A required list of integers.
  IntList ints(const char *name);
  /// A required list of \p size 32-bit integers, which may be written as loops;
  /// empty after an error.
  RowEntries entries(const char *name, int32_t size);
  /// As entries(), with at most \p most integers.
  RowEntries entriesUpTo(const char *name, int32_t most);
  /// A required tensor of exactly this shape, inside the weights.
  const float *tensor(const char *name, std::initializer_list<int64_t> shape);

private:
  RowEntries entries(const char *name, int32_t least, int32_t most);
  const schema::Attribute *find(const char *name) const;
  const schema::Attribute *require(const char *name);
  bool failType(const char *name, const char *expected);
  bool shapeMatches(const char *name, const schema::Tensor &tensor,
                    std::initializer_list<int64_t> shape);

  const List *list;
  Weights &weights;
  std::string prefix;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_ATTRIBUTES_H
