//===- CompressionTest.cpp - Matrices kept as small integers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;
using schema::CompressedType;

namespace {

struct Sample {
  Sample() { in = writer.input("input", 4, 3); }

  void compress(int32_t matrix, CompressedType type, float range) {
    CommandData data{Opcode::CompressMatrix};
    data.alpha = range;
    data.src = matrix;
    data.table = static_cast<int32_t>(type);
    writer.command(data);
  }
  CommandData &add(Opcode opcode, int32_t dst, int32_t src) {
    CommandData data{opcode};
    data.dst = dst;
    data.src = src;
    writer.command(data);
    return writer.commands.back();
  }
  Matrix roundTrip(CompressedType type, float range, const Matrix &input) {
    const int32_t out = writer.matrix(4, 3);
    compress(in, type, range);
    add(Opcode::DecompressMatrix, out, in);
    writer.output("output", out);
    return run(writer, {{"input", input}});
  }

  ProgramWriter writer;
  int32_t in;
};

/// Zero, ties, small and large ones of either sign.
Matrix makeValues(double unit) {
  Matrix values(4, 3);
  const double list[] = {0,   0.5,  -0.5, 1.5,  2.49,  -2.51,
                         1e6, -1e6, 7,    -7.2, 1e-20, -1e-20};
  for (int32_t i = 0; i < 12; ++i)
    values.at(i / 3, i % 3) = static_cast<float>(list[i] * unit);
  return values;
}

/// optimize.md 4.11.
template <typename T> void expectFormula(CompressedType type, float range) {
  const double largest = std::numeric_limits<T>::max();
  const double least = std::numeric_limits<T>::min();
  const Matrix values = makeValues(range / largest);
  const Matrix result = Sample().roundTrip(type, range, values);
  ASSERT_EQ(result.rows, 4);
  for (int32_t i = 0; i < 12; ++i) {
    const float scaled =
        values.at(i / 3, i % 3) * static_cast<float>(largest / range);
    const double integer =
        std::min(std::max(std::nearbyint(double(scaled)), least), largest);
    EXPECT_NEAR(result.at(i / 3, i % 3), integer * range / largest,
                1e-6 * range)
        << "element " << i << ", range " << range;
  }
}

TEST(CompressionTest, Integers) {
  for (float range : {1.0f, 10.0f, 0.125f}) {
    expectFormula<int8_t>(CompressedType::Int8, range);
    expectFormula<uint8_t>(CompressedType::UInt8, range);
    expectFormula<int16_t>(CompressedType::Int16, range);
    expectFormula<uint16_t>(CompressedType::UInt16, range);
  }
}

/// The error is half a unit where nothing is clipped.
TEST(CompressionTest, ErrorIsHalfAUnit) {
  Matrix values = randomMatrix(4, 3, 7);
  const Matrix result = Sample().roundTrip(CompressedType::Int16, 10, values);
  for (int32_t i = 0; i < 12; ++i)
    EXPECT_NEAR(result.at(i / 3, i % 3), values.at(i / 3, i % 3),
                0.5001 * 10 / 32767);
}

TEST(CompressionTest, Signs) {
  Matrix values = makeValues(1);
  values.at(0, 0) = std::nanf("");
  const Matrix result = Sample().roundTrip(CompressedType::UInt8, 0, values);
  for (int32_t i = 0; i < 12; ++i)
    EXPECT_EQ(result.at(i / 3, i % 3), values.at(i / 3, i % 3) > 0 ? 1 : 0);
}

TEST(CompressionTest, NotANumberIsAnInteger) {
  Matrix values = makeValues(1);
  values.at(1, 1) = std::nanf("");
  const Matrix result = Sample().roundTrip(CompressedType::Int16, 1, values);
  EXPECT_NEAR(result.at(1, 1), -1, 1e-4);
}

/// A matrix may be decompressed to itself, as in Kaldi's programs.
TEST(CompressionTest, InPlace) {
  Sample s;
  s.compress(s.in, CompressedType::UInt8, 0);
  s.add(Opcode::DecompressMatrix, s.in, s.in);
  s.writer.output("output", s.in);
  const Matrix values = makeValues(1);
  const Matrix result = run(s.writer, {{"input", values}});
  EXPECT_EQ(result.at(0, 1), 1);
  EXPECT_EQ(result.at(0, 2), 0);
}

/// A matrix that exists between compression and decompression reuses the
/// memory.
TEST(CompressionTest, MemoryIsFree) {
  uint64_t bytes[2];
  for (bool compressed : {false, true}) {
    ProgramWriter writer;
    const int32_t a = writer.input("input", 64, 64);
    if (compressed) {
      CommandData data{Opcode::CompressMatrix};
      data.src = a;
      data.table = static_cast<int32_t>(CompressedType::UInt8);
      writer.command(data);
    }
    const int32_t b = writer.zeroed(64, 64);
    CommandData dealloc{Opcode::DeallocMatrix};
    dealloc.dst = b;
    writer.command(dealloc);
    if (compressed) {
      CommandData data{Opcode::DecompressMatrix};
      data.dst = data.src = a;
      writer.command(data);
    }
    writer.output("output", a);
    auto program = load(writer);
    ASSERT_TRUE(program);
    bytes[compressed] = program->arenaBytes();
  }
  const uint64_t matrix = 64 * 64 * sizeof(float);
  EXPECT_EQ(bytes[0], 2 * matrix);
  EXPECT_EQ(bytes[1], matrix + matrix / 4);
}

TEST(CompressionTest, Text) {
  Sample s;
  s.compress(s.in, CompressedType::Int16, 10);
  s.add(Opcode::DecompressMatrix, s.in, s.in);
  s.writer.output("output", s.in);
  auto program = load(s.writer);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->commandText(1), "CompressMatrix(m0, 10, int16)");
  EXPECT_EQ(program->commandText(2), "m0 = DecompressMatrix(m0)");
}

void expectError(const std::string &text,
                 const std::function<void(Sample &)> &change) {
  Sample sample;
  change(sample);
  sample.writer.output("output", sample.writer.zeroed(4, 3));
  const std::string error = loadError(sample.writer);
  EXPECT_NE(error.find(text), std::string::npos)
      << "got '" << error << "', expected '" << text << "'";
}

TEST(CompressionTest, CompressErrors) {
  constexpr auto kType = CompressedType::Int16;
  expectError(
      "command 1 (compress_matrix): expects a whole matrix",
      [](Sample &s) { s.compress(s.writer.part(s.in, 0, 2, 0, 3), kType, 1); });
  expectError("expects a source that exists",
              [](Sample &s) { s.compress(s.writer.matrix(4, 3), kType, 1); });
  expectError("expects a source that exists", [](Sample &s) {
    s.compress(s.in, kType, 1);
    s.compress(s.in, kType, 1);
  });
  expectError("unknown type 4 of a compressed matrix", [](Sample &s) {
    s.compress(s.in, static_cast<CompressedType>(4), 1);
  });
  expectError("unknown type -1 of a compressed matrix",
              [](Sample &s) { s.add(Opcode::CompressMatrix, -1, s.in); });
  expectError("expects a range that is not negative",
              [](Sample &s) { s.compress(s.in, kType, -1); });
  expectError("expects type UInt8 for a range of 0",
              [](Sample &s) { s.compress(s.in, kType, 0); });
  expectError("has been provided as an output", [](Sample &s) {
    s.writer.output("early", s.in);
    s.compress(s.in, kType, 1);
  });
}

/// Other commands cannot use a compressed matrix.
TEST(CompressionTest, CompressedMatricesDoNotExist) {
  auto expect = [](const std::string &text, Opcode opcode) {
    expectError(text, [&](Sample &s) {
      const int32_t other = s.writer.zeroed(4, 3);
      s.compress(s.in, CompressedType::Int16, 1);
      if (opcode == Opcode::MoveMatrix || opcode == Opcode::MatrixAdd)
        s.add(opcode, other, s.in);
      else
        s.add(opcode, s.in, -1);
    });
  };
  expect("expects a source that exists", Opcode::MatrixAdd);
  expect("a matrix is compressed", Opcode::MoveMatrix);
  expect("matrix 0 exists already", Opcode::AllocMatrixZeroed);
  expect("expects a destination that exists", Opcode::DeallocMatrix);
}

TEST(CompressionTest, DecompressErrors) {
  constexpr auto kType = CompressedType::Int16;
  expectError("matrix 0 is not compressed", [](Sample &s) {
    s.add(Opcode::DecompressMatrix, s.writer.matrix(4, 3), s.in);
  });
  expectError("matrix 0 is not compressed", [](Sample &s) {
    s.compress(s.in, kType, 1);
    s.add(Opcode::DecompressMatrix, s.writer.matrix(4, 3), s.in);
    s.add(Opcode::DecompressMatrix, s.writer.matrix(4, 3), s.in);
  });
  expectError("expects equal dims", [](Sample &s) {
    s.compress(s.in, kType, 1);
    s.add(Opcode::DecompressMatrix, s.writer.matrix(3, 4), s.in);
  });
  expectError("matrix 1 exists already", [](Sample &s) {
    const int32_t other = s.writer.zeroed(4, 3);
    s.compress(s.in, kType, 1);
    s.add(Opcode::DecompressMatrix, other, s.in);
  });
}

} // namespace
