//===- Synthetic.cpp - Synthetic computations -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Synthetic.h"

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

static constexpr llvm::StringLiteral kNetwork = R"mlir(
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
)mlir";

namespace {
/// Writes the commands of a computation as text.
class Writer {
public:
  explicit Writer(std::string &text) : os(text) {}

  void alloc(const Twine &matrix, int64_t rows) {
    os << matrix << " = nnet3.alloc_matrix_zeroed : " << type(rows) << "\n";
  }
  void accept(const Twine &matrix, int64_t rows) {
    os << matrix << " = nnet3.accept_input \"x\" : " << type(rows) << "\n";
  }
  void provide(const Twine &matrix, int64_t rows) {
    os << "nnet3.provide_output \"y\", " << matrix << " : " << type(rows)
       << "\n";
  }
  /// Writes a view of some rows of a matrix.
  void view(const Twine &row, const Twine &matrix, int64_t rows, int64_t at) {
    os << row << " = nnet3.sub_matrix " << matrix << "[" << at
       << ", 0] : " << type(rows) << " to " << rowType(at) << "\n";
  }
  void propagate(StringRef component, const Twine &in, StringRef inType,
                 const Twine &out, int64_t rows) {
    os << "nnet3.propagate @net::@" << component << " ins(" << in << " : "
       << inType << ") outs(" << out << " : " << type(rows) << ")\n";
  }
  void copy(const Twine &from, const Twine &to, StringRef type) {
    os << "nnet3.matrix_copy " << from << " into " << to << " : " << type
       << " into " << type << "\n";
  }
  void line(const Twine &text) { os << text << "\n"; }

  static std::string type(int64_t rows) {
    return ("memref<" + Twine(rows) + "x4xf32>").str();
  }
  static std::string rowType(int64_t at) {
    return ("memref<1x4xf32, strided<[4, 1]" +
            (at ? ", offset: " + Twine(4 * at) : Twine("")) + ">>")
        .str();
  }

private:
  llvm::raw_string_ostream os;
};
} // namespace

/// Writes `k` copies of one matrix, each read by a component.
static void writeCopies(Writer &writer, int64_t k, bool ofInput) {
  std::string type = Writer::type(8);
  writer.accept("%x", 8);
  StringRef source = ofInput ? "%x" : "%a";
  writer.alloc("%a", 8);
  writer.propagate("affine", "%x", type, "%a", 8);
  for (int64_t i = 0; i < k; ++i) {
    writer.alloc("%b" + Twine(i), 8);
    writer.alloc("%c" + Twine(i), 8);
  }
  for (int64_t i = 0; i < k; ++i) {
    writer.copy(source, "%b" + Twine(i), type);
    writer.propagate("affine", "%b" + Twine(i), type, "%c" + Twine(i), 8);
  }
}

/// Writes a chain of matrices: a component that can run in place, then a copy,
/// and so on.
static void writeChain(Writer &writer, int64_t k) {
  std::string type = Writer::type(8);
  writer.accept("%c0", 8);
  for (int64_t i = 0; i < k; ++i) {
    writer.alloc("%b" + Twine(i), 8);
    writer.alloc("%c" + Twine(i + 1), 8);
  }
  for (int64_t i = 0; i < k; ++i) {
    writer.propagate("relu", "%c" + Twine(i), type, "%b" + Twine(i), 8);
    writer.copy("%b" + Twine(i), "%c" + Twine(i + 1), type);
  }
  writer.provide("%c" + Twine(k), 8);
}

/// Writes rows of one matrix that are computed one by one and collected in
/// another matrix, as in a recurrence.
static void writeViews(Writer &writer, int64_t k) {
  writer.accept("%x", k);
  writer.alloc("%y", k);
  for (int64_t i = 0; i < k; ++i) {
    writer.alloc("%c" + Twine(i), 1);
    writer.view("%v" + Twine(i), "%x", k, i);
    writer.view("%w" + Twine(i), "%y", k, i);
  }
  for (int64_t i = 0; i < k; ++i) {
    writer.propagate("affine", "%v" + Twine(i), Writer::rowType(i),
                     "%c" + Twine(i), 1);
    writer.line("nnet3.matrix_copy %c" + Twine(i) + " into %w" + Twine(i) +
                " : memref<1x4xf32> into " + Writer::rowType(i));
  }
  writer.provide("%y", k);
}

/// Writes commands with row tables, with one and with two sources.
static void writeRowOps(Writer &writer, int64_t k) {
  writer.accept("%x", 8);
  for (int64_t i = 0; i < k; ++i) {
    writer.alloc("%b" + Twine(i), 8);
    writer.alloc("%c" + Twine(i), 8);
  }
  for (int64_t i = 0; i < k; ++i) {
    writer.line("nnet3.add_rows %x <_, 0:5, _> into %b" + Twine(i) +
                " : memref<8x4xf32> into memref<8x4xf32>");
    writer.line("nnet3.copy_rows_multi [%x, %b" + Twine(i) +
                "] <0:3, 3 of 1, 2 of 1, 4:5 of 1> into %c" + Twine(i) +
                " : memref<8x4xf32>, memref<8x4xf32> into memref<8x4xf32>");
  }
}

ArrayRef<StringRef>(mlir::nnet3::benchmarks::getSyntheticNames)() {
  static constexpr StringRef names[] = {"copies", "input-copies", "chain",
                                        "views", "row-ops"};
  return names;
}

OwningOpRef<ModuleOp>(mlir::nnet3::benchmarks::makeSynthetic)(
    StringRef name, int64_t k, MLIRContext *context) {
  context->loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  std::string text = (kNetwork + "nnet3.computation @c for @net {\n").str();
  Writer writer(text);
  if (name == "copies" || name == "input-copies")
    writeCopies(writer, k, name == "input-copies");
  else if (name == "chain")
    writeChain(writer, k);
  else if (name == "views")
    writeViews(writer, k);
  else
    writeRowOps(writer, k);
  text += "}\n";
  return parseSourceString<ModuleOp>(text, context);
}
