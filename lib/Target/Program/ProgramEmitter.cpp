//===- ProgramEmitter.cpp - Computations as runtime programs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Program/ProgramEmitter.h"
#include "StorageNumbering.h"
#include "nnet3/Target/Program/AttributeEmitter.h"
#include "nnet3/Target/Program/LoopedLists.h"
#include "nnet3/runtime/Container.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
namespace schema = ::nnet3::rt::schema;
using schema::Opcode;

namespace {

/// A command with its operands; -1 means that an operand is absent.
struct CommandFields {
  Opcode opcode;
  float alpha = 1;
  int32_t dst = -1, src = -1, table = -1, component = -1, precomputed = -1,
          memo = -1, inValue = -1, outValue = -1;
};

/// Collects the parts of a program.
class Emitter {
public:
  Emitter(ComputationOp computation, const ParameterBlob &parameters,
          RequestOp request)
      : computation(computation),
        network(SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
            computation->getParentOp(), computation.getNetworkAttr())),
        parameters(parameters) {
    if (request)
      for (Operation &op : request.getBody().front())
        requestIo[op.getAttrOfType<StringAttr>("name").getValue()] = &op;
  }

  FailureOr<std::string> emit();

private:
  LogicalResult emitComponents();
  LogicalResult emitOp(Operation &op);
  LogicalResult emitPropagate(PropagateOp op);
  LogicalResult emitStoreStats(StoreStatsOp op);
  LogicalResult emitBackprop(BackpropOp op);
  template <typename OpTy> void emitRows(OpTy op, Opcode opcode);
  template <typename OpTy> void emitFromRows(OpTy op, Opcode opcode);
  template <typename OpTy> void emitToRows(OpTy op, Opcode opcode, float alpha);
  void emitRanges(AddRowRangesOp op);
  void emitInput(AcceptInputOp op);
  void emitOutput(ProvideOutputOp op);
  void emitCompress(CompressMatrixOp op);
  LogicalResult emitLoop(LoopOp loop);

  static schema::Command makeCommand(const CommandFields &f) {
    return schema::Command(f.opcode, f.alpha, f.dst, f.src, f.table,
                           f.component, f.precomputed, f.memo, f.inValue,
                           f.outValue);
  }
  void add(const CommandFields &f) { commands.push_back(makeCommand(f)); }
  int32_t submatrix(Value value) {
    return value ? storage.getSubmatrix(value) : -1;
  }
  FailureOr<int32_t> component(Operation *op, SymbolRefAttr name);
  FailureOr<int32_t> precomputedId(Operation *op,
                                   std::optional<DictionaryAttr> attr);
  int32_t memoId(Value memo);
  int32_t rowTable(RowTableAttr table);
  int32_t multiTable(RowTableAttr table, ValueRange matrices);
  flatbuffers::Offset<schema::IoMatrix> ioMatrix(StringRef node, Value matrix,
                                                 bool isInput);

  ComputationOp computation;
  NetworkOp network;
  const ParameterBlob &parameters;
  llvm::StringMap<Operation *> requestIo;

  flatbuffers::FlatBufferBuilder builder;
  StorageNumbering storage;
  std::vector<schema::Command> commands;
  std::vector<flatbuffers::Offset<schema::Component>> components;
  std::vector<flatbuffers::Offset<schema::Precomputed>> precomputed;
  std::vector<flatbuffers::Offset<schema::IoMatrix>> inputs, outputs;
  std::vector<flatbuffers::Offset<schema::RowTable>> rowTables;
  std::vector<flatbuffers::Offset<schema::MultiTable>> multiTables;
  std::vector<flatbuffers::Offset<schema::RangeTable>> rangeTables;

  // Only looked up, never iterated.
  DenseMap<Operation *, int32_t> componentIds;
  DenseMap<Attribute, int32_t> precomputedIds, rowTableIds;
  DenseMap<Value, int32_t> memoIds;
};

} // namespace

//===----------------------------------------------------------------------===//
// Components, tables
//===----------------------------------------------------------------------===//

/// Emits all components of the network in order, even unused ones: the programs
/// of all requests have the same components.
LogicalResult Emitter::emitComponents() {
  for (auto component :
       network.getBody().front().getOps<ComponentOpInterface>()) {
    auto offset = emitComponent(builder, component, parameters);
    if (failed(offset))
      return failure();
    componentIds[component] = components.size();
    components.push_back(*offset);
  }
  return success();
}

FailureOr<int32_t> Emitter::component(Operation *op, SymbolRefAttr name) {
  auto known = componentIds.find(
      SymbolTable::lookupNearestSymbolFrom(computation->getParentOp(), name));
  if (known == componentIds.end())
    return op->emitError("refers to an undefined component ") << name;
  return known->second;
}

FailureOr<int32_t> Emitter::precomputedId(Operation *op,
                                          std::optional<DictionaryAttr> attr) {
  if (!attr)
    return -1;
  auto [it, inserted] = precomputedIds.try_emplace(*attr, precomputed.size());
  if (inserted) {
    auto offset = emitPrecomputed(builder, op, *attr);
    if (failed(offset))
      return failure();
    precomputed.push_back(*offset);
  }
  return it->second;
}

int32_t Emitter::memoId(Value memo) {
  if (!memo)
    return -1;
  return memoIds.try_emplace(memo, memoIds.size()).first->second;
}

int32_t Emitter::rowTable(RowTableAttr table) {
  auto [it, inserted] = rowTableIds.try_emplace(table, rowTables.size());
  if (inserted) {
    const ListCode rows = getRowList(table);
    rowTables.push_back(schema::CreateRowTableDirect(builder, &rows));
  }
  return it->second;
}

int32_t Emitter::multiTable(RowTableAttr table, ValueRange matrices) {
  SmallVector<int32_t> numbers;
  for (Value matrix : matrices)
    numbers.push_back(submatrix(matrix));
  const ListCode submatrices = getSourceList(table, numbers);
  const ListCode rows = getRowList(table);
  multiTables.push_back(
      schema::CreateMultiTableDirect(builder, &submatrices, &rows));
  return multiTables.size() - 1;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitPropagate(PropagateOp op) {
  FailureOr<int32_t> id = component(op, op.getComponent());
  FailureOr<int32_t> indexes = precomputedId(op, op.getPrecomputed());
  if (failed(id) || failed(indexes))
    return failure();
  CommandFields f{Opcode::Propagate};
  f.component = *id;
  f.precomputed = *indexes;
  f.src = submatrix(op.getInput());
  f.dst = submatrix(op.getOutput());
  f.memo = memoId(op.getMemo());
  add(f);
  return success();
}

LogicalResult Emitter::emitStoreStats(StoreStatsOp op) {
  FailureOr<int32_t> id = component(op, op.getComponent());
  if (failed(id))
    return failure();
  CommandFields f{Opcode::StoreStats};
  f.component = *id;
  f.inValue = submatrix(op.getInput());
  f.src = submatrix(op.getOutput());
  f.memo = memoId(op.getMemo());
  add(f);
  return success();
}

/// The step of the time in a loop is one of the entries that the runtime reads.
LogicalResult Emitter::emitBackprop(BackpropOp op) {
  std::optional<DictionaryAttr> precomputed = op.getPrecomputed();
  if (IntegerAttr step = op.getTimeStepAttr()) {
    NamedAttrList entries(*precomputed);
    entries.set(op.getTimeStepAttrName(), step);
    precomputed = entries.getDictionary(op.getContext());
  }
  FailureOr<int32_t> id = component(op, op.getComponent());
  FailureOr<int32_t> indexes = precomputedId(op, precomputed);
  if (failed(id) || failed(indexes))
    return failure();
  CommandFields f{op.getUpdate() ? Opcode::Backprop
                                 : Opcode::BackpropNoModelUpdate};
  f.component = *id;
  f.precomputed = *indexes;
  f.src = submatrix(op.getOutputDeriv());
  f.dst = submatrix(op.getInputDeriv());
  f.inValue = submatrix(op.getInputValue());
  f.outValue = submatrix(op.getOutputValue());
  f.memo = memoId(op.getMemo());
  add(f);
  return success();
}

template <typename OpTy> void Emitter::emitRows(OpTy op, Opcode opcode) {
  CommandFields f{opcode, op.getAlpha().convertToFloat()};
  f.src = submatrix(op.getSource());
  f.dst = submatrix(op.getDest());
  f.table = rowTable(op.getRows());
  add(f);
}

template <typename OpTy> void Emitter::emitFromRows(OpTy op, Opcode opcode) {
  CommandFields f{opcode, op.getAlpha().convertToFloat()};
  f.table = multiTable(op.getRows(), op.getSources());
  f.dst = submatrix(op.getDest());
  add(f);
}

template <typename OpTy>
void Emitter::emitToRows(OpTy op, Opcode opcode, float alpha) {
  CommandFields f{opcode, alpha};
  f.table = multiTable(op.getRows(), op.getDests());
  f.src = submatrix(op.getSource());
  add(f);
}

void Emitter::emitRanges(AddRowRangesOp op) {
  const ListCode begin = getRowList(op.getBegin());
  const ListCode end = getRowList(op.getEnd());
  rangeTables.push_back(schema::CreateRangeTableDirect(builder, &begin, &end,
                                                       int32_t(op.getStep())));
  CommandFields f{Opcode::AddRowRanges, op.getAlpha().convertToFloat()};
  f.table = rangeTables.size() - 1;
  f.src = submatrix(op.getSource());
  f.dst = submatrix(op.getDest());
  add(f);
}

/// Describes a matrix that the caller provides or receives. An input at an
/// output node, or an output at an input node, is a derivative.
flatbuffers::Offset<schema::IoMatrix>
Emitter::ioMatrix(StringRef node, Value matrix, bool isInput) {
  auto type = cast<MemRefType>(matrix.getType());
  bool isDerivative = false;
  auto objective = schema::Objective::Linear;
  for (Operation &op : network.getBody().front()) {
    auto name = op.getAttrOfType<StringAttr>("name");
    if (!name || name.getValue() != node)
      continue;
    auto output = dyn_cast<OutputNodeOp>(op);
    isDerivative = bool(output) == isInput;
    if (output && output.getObjective() == Objective::Quadratic)
      objective = schema::Objective::Quadratic;
  }
  std::vector<int32_t> n, t, x;
  if (Operation *io = requestIo.lookup(node)) {
    auto indexes = io->getAttrOfType<IndexesAttr>("indexes");
    if (indexes.size() == type.getDimSize(0)) {
      for (const Index &index : indexes.expand()) {
        n.push_back(index.n);
        t.push_back(index.t);
        x.push_back(index.x);
      }
    }
  }
  const bool known = !n.empty();
  const ListCode nList = getIntegerList(n), tList = getIntegerList(t),
                 xList = getIntegerList(x);
  return schema::CreateIoMatrixDirect(
      builder, node.str().c_str(), int32_t(type.getDimSize(0)),
      int32_t(type.getDimSize(1)), isDerivative, known ? &nList : nullptr,
      known ? &tList : nullptr, known ? &xList : nullptr, objective);
}

void Emitter::emitInput(AcceptInputOp op) {
  CommandFields f{Opcode::AcceptInput};
  f.table = inputs.size();
  inputs.push_back(ioMatrix(op.getNode(), op.getResult(), /*isInput=*/true));
  f.dst = submatrix(op.getResult());
  add(f);
}

void Emitter::emitOutput(ProvideOutputOp op) {
  CommandFields f{Opcode::ProvideOutput};
  f.table = outputs.size();
  outputs.push_back(ioMatrix(op.getNode(), op.getMatrix(), /*isInput=*/false));
  f.src = submatrix(op.getMatrix());
  add(f);
}

/// The runtime numbers the element types.
void Emitter::emitCompress(CompressMatrixOp op) {
  using schema::CompressedType;
  auto type = cast<IntegerType>(op.getType().getElementType());
  CommandFields f{Opcode::CompressMatrix, op.getRange().convertToFloat()};
  f.src = submatrix(op.getMatrix());
  f.table = int32_t(
      type.getWidth() == 8
          ? (type.isSigned() ? CompressedType::Int8 : CompressedType::UInt8)
          : (type.isSigned() ? CompressedType::Int16 : CompressedType::UInt16));
  add(f);
}

/// The loop command stores the number of commands of its body, which follow it.
LogicalResult Emitter::emitLoop(LoopOp loop) {
  const size_t number = commands.size();
  add({Opcode::Repeat});
  for (Operation &op : loop.getBody().front())
    if (failed(emitOp(op)))
      return failure();
  CommandFields f{Opcode::Repeat};
  f.table = int32_t(loop.getCount());
  f.memo = int32_t(commands.size() - number - 1);
  commands[number] = makeCommand(f);
  return success();
}

LogicalResult Emitter::emitOp(Operation &op) {
  // Adds a command with `dst` only, or with `dst` and `src`.
  auto plain = [&](Opcode opcode, Value dst, Value src = {}, float alpha = 1) {
    CommandFields f{opcode, alpha};
    f.dst = submatrix(dst);
    f.src = submatrix(src);
    add(f);
  };
  bool known = true;
  LogicalResult result = success();
  TypeSwitch<Operation &>(op)
      .Case([&](AllocMatrixZeroedOp c) {
        plain(Opcode::AllocMatrixZeroed, c.getResult());
      })
      .Case([&](AllocMatrixUndefinedOp c) {
        plain(Opcode::AllocMatrixUndefined, c.getResult());
      })
      .Case([&](DeallocMatrixOp c) {
        plain(Opcode::DeallocMatrix, c.getMatrix());
      })
      .Case([&](MoveMatrixOp c) {
        plain(Opcode::MoveMatrix, c.getResult(), c.getSource());
      })
      .Case([&](SetConstOp c) {
        plain(Opcode::SetConst, c.getMatrix(), {},
              c.getValue().convertToFloat());
      })
      .Case([&](MatrixCopyOp c) {
        plain(Opcode::MatrixCopy, c.getDest(), c.getSource(),
              c.getAlpha().convertToFloat());
      })
      .Case([&](MatrixAddOp c) {
        plain(Opcode::MatrixAdd, c.getDest(), c.getSource(),
              c.getAlpha().convertToFloat());
      })
      .Case([&](PropagateOp c) { result = emitPropagate(c); })
      .Case([&](StoreStatsOp c) { result = emitStoreStats(c); })
      .Case([&](BackpropOp c) { result = emitBackprop(c); })
      .Case([&](CopyRowsOp c) { emitRows(c, Opcode::CopyRows); })
      .Case([&](AddRowsOp c) { emitRows(c, Opcode::AddRows); })
      .Case([&](CopyRowsMultiOp c) { emitFromRows(c, Opcode::CopyRowsMulti); })
      .Case([&](AddRowsMultiOp c) { emitFromRows(c, Opcode::AddRowsMulti); })
      .Case([&](CopyToRowsMultiOp c) {
        emitToRows(c, Opcode::CopyToRowsMulti, 1);
      })
      .Case([&](AddToRowsMultiOp c) {
        emitToRows(c, Opcode::AddToRowsMulti, c.getAlpha().convertToFloat());
      })
      .Case([&](AddRowRangesOp c) { emitRanges(c); })
      .Case([&](CompressMatrixOp c) { emitCompress(c); })
      .Case([&](DecompressMatrixOp c) {
        // A compressed matrix is identified by its original matrix.
        auto compress = c.getCompressed().getDefiningOp<CompressMatrixOp>();
        plain(Opcode::DecompressMatrix, c.getResult(), compress.getMatrix());
      })
      .Case([&](AcceptInputOp c) { emitInput(c); })
      .Case([&](ProvideOutputOp c) { emitOutput(c); })
      .Case([&](NoOperationMarkerOp) { add({Opcode::NoOperationMarker}); })
      .Case([&](LoopOp c) { result = emitLoop(c); })
      .Case<SubMatrixOp, MovingSubMatrixOp, NoOperationOp,
            NoOperationPermanentOp>([](auto) {})
      .Default([&](Operation &) { known = false; });
  if (!known)
    return op.emitOpError("cannot be part of a runtime program");
  return result;
}

FailureOr<std::string> Emitter::emit() {
  if (failed(emitComponents()))
    return failure();
  for (Operation &op : computation.getBody().front())
    if (failed(emitOp(op)))
      return failure();
  builder.Finish(schema::CreateProgramDirect(
                     builder, &components, &precomputed, &inputs, &outputs,
                     &storage.getMatrices(), &storage.getSubmatrices(),
                     &rowTables, &multiTables, &rangeTables, &commands),
                 schema::ProgramIdentifier());
  return std::string(reinterpret_cast<const char *>(builder.GetBufferPointer()),
                     builder.GetSize());
}

namespace mlir::nnet3 {

FailureOr<std::string> emitProgram(ComputationOp computation,
                                   const ParameterBlob &parameters,
                                   RequestOp request) {
  return Emitter(computation, parameters, request).emit();
}

void writeProgramFile(StringRef program, const ParameterBlob &parameters,
                      llvm::raw_ostream &os) {
  rt::ContainerHeader header =
      rt::makeContainerHeader(program.data(), program.size(),
                              parameters.getData().get(), parameters.getSize());
  os.write(reinterpret_cast<const char *>(&header), sizeof(header));
  os << program;
  os.write_zeros(header.weightsOffset - header.programOffset -
                 header.programSize);
  os.write(parameters.getData().get(), parameters.getSize());
}

} // namespace mlir::nnet3
