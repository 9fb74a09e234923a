//===- CommandAnalysisTest.cpp - The analysis against single elements -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random computations with overlapping views. Compares the results of the
// analysis for variables and views with the accesses of every single element
// (spec: optimize.md 1).
//
//===----------------------------------------------------------------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
constexpr const char *kModule = R"(
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  nnet3.no_operation
}
)";

/// An access to some elements.
struct Touch {
  MatrixWindow window;
  Access::Kind kind;
};

/// A command, with its accesses by the table of spec optimize.md 1.2.
struct Command {
  std::vector<Touch> touches;
  bool isZeroing = false;
};

/// A random computation.
class Trial {
public:
  explicit Trial(unsigned seed) : random(seed) {
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
    module = parseSourceString<ModuleOp>(kModule, &context);
    computation = *module->getOps<ComputationOp>().begin();
    builder.setInsertionPointToEnd(&computation.getBody().front());
    commands.emplace_back();
    for (int i = 0; i < 3; ++i)
      addMatrix();
    for (int i = 0; i < 20; ++i)
      addCommand();
    for (Value matrix : matrices)
      addEnd(matrix);
  }

  /// The accesses of one element, or of all of a window at once.
  std::vector<Access> getAccesses(const MatrixWindow &window) const;

  ComputationOp computation;
  std::vector<Value> matrices, values;
  std::vector<Command> commands;

private:
  int pick(int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random);
  }
  Value addView(int64_t rows, int64_t cols);
  void addMatrix();
  void addCommand();
  void addRowCommand(Value source, Value dest, int64_t rows);
  void addComponentCommand(int64_t rows);
  void addEnd(Value matrix);
  void record(std::initializer_list<std::pair<Value, Access::Kind>> touches,
              bool isZeroing = false) {
    Command &command = commands.emplace_back();
    command.isZeroing = isZeroing;
    for (auto [value, kind] : touches)
      command.touches.push_back({MatrixWindow::get(value), kind});
  }
  SymbolRefAttr component(StringRef name) {
    return SymbolRefAttr::get(&context, "net",
                              FlatSymbolRefAttr::get(&context, name));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder{&context};
  Location loc = builder.getUnknownLoc();
  std::mt19937 random;
};
} // namespace

void Trial::addMatrix() {
  auto type = MemRefType::get({pick(4, 6), pick(4, 6)}, builder.getF32Type());
  switch (pick(0, 2)) {
  case 0:
    matrices.push_back(AcceptInputOp::create(builder, loc, type, "x"));
    return record({{matrices.back(), Access::Write}});
  case 1:
    matrices.push_back(AllocMatrixZeroedOp::create(builder, loc, type));
    return record({{matrices.back(), Access::Write}}, /*isZeroing=*/true);
  default:
    matrices.push_back(AllocMatrixUndefinedOp::create(builder, loc, type));
    return record({});
  }
}

/// Adds a view of that size of a matrix, of a view, or of a whole matrix.
Value Trial::addView(int64_t rows, int64_t cols) {
  Value value = matrices[pick(0, matrices.size() - 1)];
  auto view = [&](int64_t newRows, int64_t newCols) {
    auto type = cast<MemRefType>(value.getType());
    value = SubMatrixOp::create(builder, loc, value,
                                pick(0, type.getDimSize(0) - newRows), newRows,
                                pick(0, type.getDimSize(1) - newCols), newCols);
  };
  auto type = cast<MemRefType>(value.getType());
  if (pick(0, 2) == 0)
    view(pick(rows, type.getDimSize(0)), pick(cols, type.getDimSize(1)));
  view(rows, cols);
  values.push_back(value);
  return value;
}

void Trial::addRowCommand(Value source, Value dest, int64_t rows) {
  SmallVector<RowRef> table;
  bool hasNone = false;
  for (int64_t row = 0; row < rows; ++row)
    table.push_back(pick(0, 4) ? RowRef{0, row} : RowRef::none());
  for (const RowRef &ref : table)
    hasNone |= ref.isNone();
  auto attr = RowTableAttr::get(&context, ArrayRef<RowRef>(table));
  FloatAttr one = builder.getF32FloatAttr(1);
  switch (pick(0, 3)) {
  case 0:
    CopyRowsOp::create(builder, loc, source, attr, dest, one);
    return record({{source, Access::Read},
                   {dest, hasNone ? Access::ReadWrite : Access::Write}});
  case 1:
    AddRowsOp::create(builder, loc, source, attr, dest, one);
    return record({{source, Access::Read}, {dest, Access::ReadWrite}});
  case 2:
    CopyRowsMultiOp::create(builder, loc, ValueRange{source}, attr, dest, one);
    return record({{source, Access::Read}, {dest, Access::Write}});
  default:
    CopyToRowsMultiOp::create(builder, loc, source, attr, ValueRange{dest});
    return record({{source, Access::Read}, {dest, Access::ReadWrite}});
  }
}

/// Both components add to the input's derivative; the linear one also adds to
/// its output.
void Trial::addComponentCommand(int64_t rows) {
  Value a = addView(rows, 4), b = addView(rows, 4);
  bool isLinear = pick(0, 1);
  SymbolRefAttr name = component(isLinear ? "linear" : "affine");
  if (pick(0, 1)) {
    PropagateOp::create(builder, loc, Type(), name, a, b, DictionaryAttr(),
                        /*draw=*/IntegerAttr());
    return record(
        {{a, Access::Read}, {b, isLinear ? Access::ReadWrite : Access::Write}});
  }
  Value c = addView(rows, 4);
  BackpropOp::create(builder, loc, name, a, Value(), b, c, Value(),
                     DictionaryAttr(), /*update=*/true, /*draw=*/IntegerAttr());
  record({{a, Access::Read}, {b, Access::Read}, {c, Access::ReadWrite}});
}

void Trial::addCommand() {
  int64_t rows = pick(1, 4), cols = pick(1, 4);
  FloatAttr one = builder.getF32FloatAttr(1);
  int kind = pick(0, 7);
  if (kind == 0)
    return addComponentCommand(rows);
  Value dest = addView(rows, cols);
  if (kind < 3) {
    bool isZero = kind == 1;
    SetConstOp::create(builder, loc, dest,
                       isZero ? builder.getF32FloatAttr(0) : one);
    return record({{dest, Access::Write}}, isZero);
  }
  Value source = addView(rows, cols);
  if (kind == 3) {
    MatrixCopyOp::create(builder, loc, source, dest, one);
    return record({{source, Access::Read}, {dest, Access::Write}});
  }
  if (kind == 4) {
    MatrixAddOp::create(builder, loc, source, dest, one);
    return record({{source, Access::Read}, {dest, Access::ReadWrite}});
  }
  addRowCommand(source, dest, rows);
}

void Trial::addEnd(Value matrix) {
  if (pick(0, 1)) {
    ProvideOutputOp::create(builder, loc, "y", matrix);
    return record({{matrix, Access::Read}});
  }
  DeallocMatrixOp::create(builder, loc, matrix);
  record({});
}

std::vector<Access> Trial::getAccesses(const MatrixWindow &window) const {
  std::vector<Access> result;
  for (auto [number, command] : llvm::enumerate(commands)) {
    int kind = 0;
    for (const Touch &touch : command.touches)
      if (touch.window.overlaps(window))
        kind |= touch.kind;
    if (kind)
      result.push_back(
          {int32_t(number), Access::Kind(kind), command.isZeroing});
  }
  return result;
}

static std::string str(ArrayRef<Access> accesses) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Access &access : accesses)
    os << access.command << " kind " << int(access.kind)
       << (access.isZeroing ? " zero, " : ", ");
  return text;
}

/// Calls `fn` for each element of a window, as a window of one element.
static void forEachElement(const MatrixWindow &window,
                           function_ref<void(const MatrixWindow &)> fn) {
  for (int64_t row = window.row; row < window.row + window.rows; ++row)
    for (int64_t col = window.col; col < window.col + window.cols; ++col)
      fn({window.matrix, row, 1, col, 1});
}

/// Returns the variable that contains an element.
static int32_t getVariable(const CommandAnalysis &analysis,
                           const MatrixWindow &element) {
  const MatrixVariables &matrix =
      analysis.getMatrix(analysis.getMatrixNumber(element.matrix));
  auto cell = [](ArrayRef<int64_t> splits, int64_t at) {
    return int32_t(llvm::upper_bound(splits, at) - splits.begin()) - 1;
  };
  return matrix.firstVariable +
         cell(matrix.rowSplits, element.row) * matrix.numColCells() +
         cell(matrix.colSplits, element.col);
}

/// The expected results of the queries on a view, for its data at `command`.
struct Queries {
  int32_t nontrivial, last = -1, lastWrite = -1, invalidated;

  Queries(const Trial &trial, const MatrixWindow &window, int32_t command)
      : nontrivial(trial.commands.size()), invalidated(nontrivial) {
    forEachElement(window, [&](const MatrixWindow &element) {
      for (const Access &access : trial.getAccesses(element)) {
        int32_t c = access.command;
        last = std::max(last, c);
        if (!access.isZeroing)
          nontrivial = std::min(nontrivial, c);
        if (!access.writes())
          continue;
        lastWrite = std::max(lastWrite, c);
        if (c > command)
          invalidated = std::min(invalidated, c);
      }
    });
  }
};

TEST(CommandAnalysisTest, VariablesAreWhatTheirElementsAre) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Trial trial(seed);
    CommandAnalysis analysis(trial.computation);
    ASSERT_EQ(analysis.getNumCommands(), int32_t(trial.commands.size()));
    for (Value matrix : trial.matrices)
      forEachElement(MatrixWindow::get(matrix),
                     [&](const MatrixWindow &element) {
                       EXPECT_EQ(str(analysis.getVariableAccesses(
                                     getVariable(analysis, element))),
                                 str(trial.getAccesses(element)))
                           << "seed " << seed;
                     });
  }
}

TEST(CommandAnalysisTest, ViewsAreUnionsOfVariables) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Trial trial(seed);
    CommandAnalysis analysis(trial.computation);
    for (Value value : trial.values) {
      MatrixWindow window = MatrixWindow::get(value);
      std::set<int32_t> variables, expected;
      analysis.getVariables(window).forEach(
          [&](int32_t v) { variables.insert(v); });
      forEachElement(window, [&](const MatrixWindow &element) {
        expected.insert(getVariable(analysis, element));
      });
      EXPECT_EQ(variables, expected) << "seed " << seed;
      // And of nothing else.
      forEachElement(
          MatrixWindow::get(window.matrix), [&](const MatrixWindow &element) {
            EXPECT_EQ(variables.count(getVariable(analysis, element)),
                      element.overlaps(window))
                << "seed " << seed;
          });
    }
  }
}

TEST(CommandAnalysisTest, Queries) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Trial trial(seed);
    CommandAnalysis analysis(trial.computation);
    for (auto [i, value] : llvm::enumerate(trial.values)) {
      MatrixWindow window = MatrixWindow::get(value);
      int32_t command = i % analysis.getNumCommands();
      Queries expected(trial, window, command);
      const MatrixAccesses &matrix =
          analysis.getMatrixAccesses(analysis.getMatrixNumber(window.matrix));
      if (matrix.isOutput)
        expected.lastWrite = analysis.getNumCommands();
      if (expected.invalidated == analysis.getNumCommands() &&
          matrix.deallocate >= 0)
        expected.invalidated = matrix.deallocate;
      WindowVariables variables = analysis.getVariables(window);
      EXPECT_EQ(analysis.getFirstNontrivialAccess(variables),
                expected.nontrivial);
      EXPECT_EQ(analysis.getLastAccess(variables), expected.last);
      EXPECT_EQ(analysis.getLastWriteAccess(variables), expected.lastWrite);
      EXPECT_EQ(analysis.getDataInvalidatedCommand(command, variables),
                expected.invalidated)
          << "seed " << seed;
    }
  }
}

TEST(CommandAnalysisTest, Matrices) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Trial trial(seed);
    CommandAnalysis analysis(trial.computation);
    int32_t end = analysis.getNumCommands() - trial.matrices.size();
    for (auto [i, matrix] : llvm::enumerate(trial.matrices)) {
      MatrixWindow window = MatrixWindow::get(matrix);
      std::vector<Access> expected = trial.getAccesses(window);
      for (Access &access : expected) {
        // A write to a part depends on what the rest holds.
        for (const Touch &touch : trial.commands[access.command].touches)
          if (touch.window.overlaps(window) && !touch.window.isWhole())
            access.kind = Access::Kind(access.kind | Access::Read);
      }
      const MatrixAccesses &found =
          analysis.getMatrixAccesses(analysis.getMatrixNumber(matrix));
      EXPECT_EQ(str(found.accesses), str(expected)) << "seed " << seed;
      EXPECT_EQ(found.allocate, int32_t(i) + 1);
      EXPECT_EQ(found.deallocate, found.isOutput ? -1 : end + int32_t(i));
      EXPECT_EQ(found.isInput, isa<AcceptInputOp>(matrix.getDefiningOp()));
    }
  }
}
