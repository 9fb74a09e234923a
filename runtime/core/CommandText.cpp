//===- CommandText.cpp - Commands as text ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The notation of Kaldi's debug output (spec: compile.md 2): m2(0:3, 1:4) is a
// part of matrix 2, with inclusive ranges; m2 is the whole matrix.
//
//===----------------------------------------------------------------------===//

#include "ProgramData.h"

#include <cctype>
#include <cstdio>

namespace nnet3 {
namespace rt {

using schema::Opcode;

const char *opcodeName(Opcode opcode) {
  switch (opcode) {
  case Opcode::AllocMatrixZeroed:
    return "alloc_matrix_zeroed";
  case Opcode::AllocMatrixUndefined:
    return "alloc_matrix_undefined";
  case Opcode::DeallocMatrix:
    return "dealloc_matrix";
  case Opcode::MoveMatrix:
    return "move_matrix";
  case Opcode::SetConst:
    return "set_const";
  case Opcode::Propagate:
    return "propagate";
  case Opcode::Backprop:
    return "backprop";
  case Opcode::BackpropNoModelUpdate:
    return "backprop_no_model_update";
  case Opcode::StoreStats:
    return "store_stats";
  case Opcode::MatrixCopy:
    return "matrix_copy";
  case Opcode::MatrixAdd:
    return "matrix_add";
  case Opcode::CopyRows:
    return "copy_rows";
  case Opcode::AddRows:
    return "add_rows";
  case Opcode::CopyRowsMulti:
    return "copy_rows_multi";
  case Opcode::CopyToRowsMulti:
    return "copy_to_rows_multi";
  case Opcode::AddRowsMulti:
    return "add_rows_multi";
  case Opcode::AddToRowsMulti:
    return "add_to_rows_multi";
  case Opcode::AddRowRanges:
    return "add_row_ranges";
  case Opcode::AcceptInput:
    return "accept_input";
  case Opcode::ProvideOutput:
    return "provide_output";
  case Opcode::NoOperationMarker:
    return "no_operation_marker";
  case Opcode::CompressMatrix:
    return "compress_matrix";
  case Opcode::DecompressMatrix:
    return "decompress_matrix";
  case Opcode::Repeat:
    return "repeat";
  }
  return "unknown";
}

namespace {

/// `begin:last`, or one number.
std::string rangeText(int32_t begin, int32_t count) {
  const std::string first = std::to_string(begin);
  return count == 1 ? first : first + ":" + std::to_string(begin + count - 1);
}

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

class TextWriter {
public:
  explicit TextWriter(const ProgramData &program) : program(program) {}
  std::string write(const ExecCommand &command) const;

private:
  std::string name(const Window &window) const;
  std::string table(const ExecCommand &command, int32_t length) const;
  std::string alloc(const ExecCommand &command) const;
  std::string componentName(const ExecCommand &command) const;
  std::string optionalName(const Window &window) const;
  std::string propagate(const ExecCommand &command) const;
  std::string backprop(const ExecCommand &command) const;
  std::string rows(const ExecCommand &command, const char *verb) const;
  std::string multi(const ExecCommand &command, const char *verb) const;
  std::string compress(const ExecCommand &command) const;

  const ProgramData &program;
};

std::string TextWriter::componentName(const ExecCommand &command) const {
  return program.root->components()->Get(command.component)->name()->str();
}

std::string TextWriter::optionalName(const Window &window) const {
  return window.matrix < 0 ? "[]" : name(window);
}

std::string TextWriter::name(const Window &window) const {
  const schema::Matrix *matrix = program.root->matrices()->Get(window.matrix);
  std::string text = "m" + std::to_string(window.matrix);
  const bool allRows = window.rows == matrix->rows();
  const bool allCols = window.cols == matrix->cols();
  if (allRows && allCols)
    return text;
  return text + "(" +
         (allRows ? ":" : rangeText(window.rowOffset, window.rows)) +
         (window.rowStep ? " + " + std::to_string(window.rowStep) + " * round"
                         : "") +
         ", " + (allCols ? ":" : rangeText(window.colOffset, window.cols)) +
         ")";
}

/// Prints the first entries of a row table, then dots.
std::string TextWriter::table(const ExecCommand &command,
                              int32_t length) const {
  constexpr int32_t kShown = 8;
  std::string text = "[";
  for (int32_t i = 0; i < length && i < kShown; ++i) {
    text += i ? ", " : "";
    const int32_t first = command.first[i];
    if (!command.second)
      text += std::to_string(first);
    else if (first < 0)
      text += "null";
    else if (command.opcode == Opcode::AddRowRanges)
      text +=
          std::to_string(first) + ":" + std::to_string(command.second[i] - 1);
    else
      text += name(program.windows[first]) + "[" +
              std::to_string(command.second[i]) + "]";
  }
  return text + (length > kShown ? ", ...]" : "]");
}

std::string TextWriter::alloc(const ExecCommand &command) const {
  const char *kind =
      command.opcode == Opcode::AllocMatrixZeroed ? "zeroed" : "undefined";
  return name(command.dst) + " = " + kind + "(" +
         std::to_string(command.dst.rows) + "," +
         std::to_string(command.dst.cols) + ")";
}

std::string TextWriter::propagate(const ExecCommand &command) const {
  return componentName(command) + ".Propagate(" + name(command.src) + ", &" +
         name(command.dst) + ")";
}

std::string TextWriter::backprop(const ExecCommand &command) const {
  const char *update = command.opcode == Opcode::Backprop ? "update" : "NULL";
  return componentName(command) + ".Backprop(" + optionalName(command.inValue) +
         ", " + optionalName(command.outValue) + ", " + name(command.src) +
         ", " + update + ", " +
         (command.dst.matrix < 0 ? "NULL" : "&" + name(command.dst)) + ")";
}

std::string TextWriter::rows(const ExecCommand &command,
                             const char *verb) const {
  return name(command.dst) + "." + verb + "(" + number(command.alpha) + ", " +
         name(command.src) + table(command, command.dst.rows) + ")";
}

std::string TextWriter::multi(const ExecCommand &command,
                              const char *verb) const {
  const Window &side = command.dst.matrix >= 0 ? command.dst : command.src;
  return name(side) + "." + verb + "(" + number(command.alpha) + ", " +
         table(command, side.rows) + ")";
}

std::string TextWriter::compress(const ExecCommand &command) const {
  std::string type = schema::EnumNameCompressedType(command.elements);
  for (char &letter : type)
    letter = static_cast<char>(std::tolower(letter));
  return "CompressMatrix(" + name(command.src) + ", " + number(command.alpha) +
         ", " + type + ")";
}

std::string TextWriter::write(const ExecCommand &command) const {
  const std::string alpha =
      command.alpha == 1 ? "" : number(command.alpha) + " * ";
  switch (command.opcode) {
  case Opcode::AllocMatrixZeroed:
  case Opcode::AllocMatrixUndefined:
    return alloc(command);
  case Opcode::DeallocMatrix:
    return name(command.dst) + " = []";
  case Opcode::MoveMatrix:
    return name(command.dst) + ".swap(" + name(command.src) + ")";
  case Opcode::SetConst:
    return name(command.dst) + ".set(" + number(command.alpha) + ")";
  case Opcode::Propagate:
    return propagate(command);
  case Opcode::MatrixCopy:
    return name(command.dst) + " = " + alpha + name(command.src);
  case Opcode::MatrixAdd:
    return name(command.dst) + " += " + alpha + name(command.src);
  case Opcode::CopyRows:
    return rows(command, "CopyRows");
  case Opcode::AddRows:
    return rows(command, "AddRows");
  case Opcode::AddRowRanges:
    return rows(command, "AddRowRanges");
  case Opcode::CopyRowsMulti:
    return multi(command, "CopyRowsMulti");
  case Opcode::AddRowsMulti:
    return multi(command, "AddRowsMulti");
  case Opcode::CopyToRowsMulti:
    return multi(command, "CopyToRowsMulti");
  case Opcode::AddToRowsMulti:
    return multi(command, "AddToRowsMulti");
  case Opcode::AcceptInput:
    return name(command.dst) + " = user input [for node: '" +
           std::string(program.inputs[command.io].name) + "']";
  case Opcode::ProvideOutput:
    return "output " + name(command.src) + " to user [for node: '" +
           std::string(program.outputs[command.io].name) + "']";
  case Opcode::Backprop:
  case Opcode::BackpropNoModelUpdate:
    return backprop(command);
  case Opcode::StoreStats:
    return componentName(command) + ".StoreStats(" +
           optionalName(command.inValue) + ", " + name(command.src) + ")";
  case Opcode::NoOperationMarker:
    return opcodeName(command.opcode);
  case Opcode::CompressMatrix:
    return compress(command);
  case Opcode::DecompressMatrix:
    return name(command.dst) + " = DecompressMatrix(" + name(command.src) + ")";
  case Opcode::Repeat:
    return "repeat " + std::to_string(command.rounds) +
           " times, up to command " + std::to_string(command.end - 1);
  }
  return opcodeName(command.opcode);
}

} // namespace

std::string commandText(const ProgramData &program, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= program.commands.size())
    return "";
  return TextWriter(program).write(program.commands[index]);
}

} // namespace rt
} // namespace nnet3
