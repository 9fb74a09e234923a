//===- MergeFunctions.cpp - Merge functions that differ in constants ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELMERGEFUNCTIONS
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Maximum number of constants that become arguments of a merged function.
static constexpr size_t kMostNumbers = 12;

namespace {

/// Functions of a module that differ only in constants, and the calls of each.
class Group {
public:
  explicit Group(func::FuncOp first) : functions{first} {}

  /// Adds `function` if it differs from the first one only in constants.
  bool add(func::FuncOp function);
  /// Replaces all functions by one.
  void merge(const DenseMap<Operation *, SmallVector<func::CallOp>> &calls);

private:
  /// The constants of one function, in the order of its operations.
  using Constants = SmallVector<arith::ConstantOp>;

  bool hasFewNumbers(const Constants &others) const;

  SmallVector<func::FuncOp> functions;
  SmallVector<Constants> constants;
};

struct KernelMergeFunctions
    : public kernel::impl::KernelMergeFunctionsBase<KernelMergeFunctions> {
  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool isConstant(Value value) {
  return value.getDefiningOp<arith::ConstantOp>();
}

/// Returns a constant that may become an argument: an index, or a float such as
/// the divisor of a mean over rows; null for other operations.
static arith::ConstantOp getNumber(Operation &op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<IndexType, FloatType>(constant.getType())
             ? constant
             : arith::ConstantOp();
}

/// Whether `constant` is a stride in the code of a matmul: constant strides are
/// encoded in the addresses of its instructions.
static bool isDistance(arith::ConstantOp constant) {
  return llvm::any_of(constant->getUsers(), [&](Operation *user) {
    return isa<arith::MulIOp>(user) &&
           !llvm::all_of(user->getOperands(), isConstant);
  });
}

static bool multiplies(func::FuncOp function) {
  return function.walk([](vector::FMAOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Returns a hash that is equal for functions that may be merged. With
/// `isMatmul`, strides and constants of epilogues must be equal, too.
static size_t hash(func::FuncOp function, bool isMatmul) {
  llvm::hash_code code = llvm::hash_combine(Type(function.getFunctionType()));
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    code = llvm::hash_combine(code, op->getName(), op->getNumOperands(),
                              op->getNumRegions());
    for (Type type : op->getResultTypes())
      code = llvm::hash_combine(code, type);
    arith::ConstantOp constant = getNumber(*op);
    if (!constant ||
        (isMatmul && (!constant.getType().isIndex() || isDistance(constant))))
      code = llvm::hash_combine(code, op->getAttrDictionary());
  });
  return code;
}

/// Compares operations in order, and values by the operations that define them.
class Comparison {
public:
  bool compare(Region &a, Region &b);

  SmallVector<arith::ConstantOp> first, second;

private:
  bool compare(Block &a, Block &b);
  bool compare(Operation &a, Operation &b);
  bool map(ValueRange a, ValueRange b);

  DenseMap<Value, Value> values; ///< only looked up
};

bool Comparison::map(ValueRange a, ValueRange b) {
  if (a.getTypes() != b.getTypes())
    return false;
  for (auto [x, y] : llvm::zip_equal(a, b))
    values[x] = y;
  return true;
}

bool Comparison::compare(Operation &a, Operation &b) {
  if (a.getName() != b.getName() || a.getNumOperands() != b.getNumOperands() ||
      a.getNumRegions() != b.getNumRegions())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.getOperands(), b.getOperands()))
    if (values.lookup(x) != y)
      return false;
  arith::ConstantOp x = getNumber(a), y = getNumber(b);
  if (x && y) {
    first.push_back(x);
    second.push_back(y);
  } else if (a.getAttrDictionary() != b.getAttrDictionary()) {
    return false;
  }
  for (auto [regionA, regionB] :
       llvm::zip_equal(a.getRegions(), b.getRegions()))
    if (!compare(regionA, regionB))
      return false;
  return map(a.getResults(), b.getResults());
}

bool Comparison::compare(Block &a, Block &b) {
  if (a.getOperations().size() != b.getOperations().size() ||
      a.getNumArguments() != b.getNumArguments() ||
      !map(a.getArguments(), b.getArguments()))
    return false;
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (!compare(x, y))
      return false;
  return true;
}

bool Comparison::compare(Region &a, Region &b) {
  if (a.getBlocks().size() != b.getBlocks().size() || a.getBlocks().size() > 1)
    return false;
  return a.empty() || compare(a.front(), b.front());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Returns the values of constant `i` in all functions.
static SmallVector<TypedAttr>
getNumbers(ArrayRef<SmallVector<arith::ConstantOp>> constants, size_t i) {
  return llvm::map_to_vector(constants, [&](const auto &ofFunction) {
    return arith::ConstantOp(ofFunction[i]).getValue();
  });
}

/// Whether few arguments are needed; constants that are equal to each other in
/// every function share one.
bool Group::hasFewNumbers(const Constants &others) const {
  SmallVector<Constants> all = constants;
  all.push_back(others);
  SmallVector<SmallVector<TypedAttr>> numbers;
  for (size_t i = 0; i < others.size() && numbers.size() <= kMostNumbers; ++i) {
    SmallVector<TypedAttr> each = getNumbers(all, i);
    if (!llvm::all_equal(each) && !llvm::is_contained(numbers, each))
      numbers.push_back(std::move(each));
  }
  return numbers.size() <= kMostNumbers;
}

bool Group::add(func::FuncOp function) {
  Comparison comparison;
  if (functions[0].getFunctionType() != function.getFunctionType() ||
      !comparison.compare(functions[0].getBody(), function.getBody()))
    return false;
  if (constants.empty())
    constants.push_back(comparison.first);
  if (!hasFewNumbers(comparison.second))
    return false;
  functions.push_back(function);
  constants.push_back(std::move(comparison.second));
  return true;
}

void Group::merge(
    const DenseMap<Operation *, SmallVector<func::CallOp>> &calls) {
  if (functions.size() == 1)
    return;
  func::FuncOp merged = functions[0];
  SmallVector<SmallVector<TypedAttr>> numbers;
  SmallVector<Value> arguments;
  for (size_t i = 0; i < constants[0].size(); ++i) {
    SmallVector<TypedAttr> each = getNumbers(constants, i);
    if (llvm::all_equal(each))
      continue;
    auto *known = llvm::find(numbers, each);
    const auto number = known - numbers.begin();
    if (known == numbers.end()) {
      const unsigned end = merged.getNumArguments();
      (void)merged.insertArgument(end, each[0].getType(), {}, merged.getLoc());
      arguments.push_back(merged.getArgument(end));
      numbers.push_back(std::move(each));
    }
    constants[0][i].getResult().replaceAllUsesWith(arguments[number]);
  }
  for (auto [i, function] : llvm::enumerate(functions)) {
    for (func::CallOp call : calls.lookup(function)) {
      OpBuilder builder(call);
      SmallVector<Value> operands =
          llvm::to_vector_of<Value>(call.getOperands());
      for (const SmallVector<TypedAttr> &each : numbers)
        operands.push_back(
            arith::ConstantOp::create(builder, call.getLoc(), each[i]));
      func::CallOp::create(builder, call.getLoc(), merged, operands);
      call.erase();
    }
    if (i > 0)
      function.erase();
  }
}

void KernelMergeFunctions::runOnOperation() {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  DenseMap<Operation *, SmallVector<func::CallOp>> calls; // only looked up
  module.walk([&](func::CallOp call) {
    if (Operation *callee = symbols.lookup(call.getCallee()))
      calls[callee].push_back(call);
  });
  llvm::MapVector<size_t, SmallVector<Group>> groups;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPrivate() || function.isExternal() ||
        !calls.contains(function))
      continue;
    SmallVector<Group> &alike = groups[hash(function, multiplies(function))];
    if (llvm::none_of(alike, [&](Group &group) { return group.add(function); }))
      alike.push_back(Group(function));
  }
  for (auto &[code, alike] : groups)
    for (Group &group : alike)
      group.merge(calls);
}
