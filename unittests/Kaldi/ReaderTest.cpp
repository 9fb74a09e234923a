//===- ReaderTest.cpp - Tokens, numbers, places of errors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/Reader.h"
#include "TestUtil.h"
#include <cmath>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
TEST(Reader, TokensInText) {
  KaldiReader reader("  <Nnet3> \nDim> name\t<End>", "input");
  std::string token;
  ASSERT_TRUE(succeeded(reader.readHeader()));
  EXPECT_FALSE(reader.isBinary());
  EXPECT_EQ(reader.peekToken(), 'N');
  EXPECT_TRUE(succeeded(reader.expectToken("<Nnet3>")));
  // A token that has lost its '<'.
  EXPECT_EQ(reader.peekToken(), 'D');
  EXPECT_FALSE(reader.consumeToken("<Dimension>"));
  EXPECT_TRUE(reader.consumeToken("<Dim>"));
  EXPECT_EQ(reader.peekWord(), "name");
  EXPECT_TRUE(succeeded(reader.readToken(token)));
  EXPECT_EQ(token, "name");
  // The end of a text file ends a token.
  EXPECT_TRUE(succeeded(reader.expectToken("<End>")));
  EXPECT_TRUE(reader.atEnd());
  EXPECT_FALSE(reader.takeError());
}

TEST(Reader, OneBlankAfterATokenGoesWithIt) {
  // formats.md 4: the line after "<Nnet3> " is empty and ends no config block.
  KaldiReader reader("<Nnet3> \ninput-node name=input dim=6\r\n\n1", "input");
  std::string line;
  ASSERT_TRUE(succeeded(reader.expectToken("<Nnet3>")));
  EXPECT_TRUE(succeeded(reader.readLine(line)));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(succeeded(reader.readLine(line)));
  EXPECT_EQ(line, "input-node name=input dim=6\r");
  EXPECT_TRUE(succeeded(reader.readLine(line)));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(succeeded(reader.readLine(line)));
  EXPECT_EQ(line, "1");
  EXPECT_TRUE(failed(reader.readLine(line)));
}

TEST(Reader, NumbersInText) {
  KaldiReader reader(
      "-7 +8 9000000000 T F 0.25 -1e-05 INF -infinity NaN 1e-60 +3 ", "input");
  int32_t i = 0;
  int64_t l = 0;
  bool t = false, f = true;
  float x = 0;
  double d = 0;
  EXPECT_TRUE(succeeded(reader.readInt32(i)) && i == -7);
  EXPECT_TRUE(succeeded(reader.readInt32(i)) && i == 8);
  EXPECT_TRUE(succeeded(reader.readInt64(l)) && l == 9000000000);
  EXPECT_TRUE(succeeded(reader.readBool(t)) && t);
  EXPECT_TRUE(succeeded(reader.readBool(f)) && !f);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == 0.25f);
  EXPECT_TRUE(succeeded(reader.readDouble(d)) && d == -1e-05);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == INFINITY);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == -INFINITY);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && std::isnan(x));
  // Too small for a float: zero, as strtof says.
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == 0);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == 3);
  reader.skipSpace();
  EXPECT_TRUE(reader.atEnd());
}

TEST(Reader, NumbersInBinary) {
  std::string bytes = std::string("\0B", 2) +
                      std::string("\4\7\0\0\0", 5) +           // int32 7
                      std::string("\4\0\0\x80?", 5) +          // float 1
                      std::string("\x8\0\0\0\0\0\0\xf8?", 9) + // double 1.5
                      std::string("\4\0\0\0@", 5) + "T";       // float 2
  KaldiReader reader(bytes, "input");
  int32_t i = 0;
  float x = 0;
  double d = 0;
  bool t = false;
  ASSERT_TRUE(succeeded(reader.readHeader()));
  EXPECT_TRUE(reader.isBinary());
  EXPECT_TRUE(succeeded(reader.readInt32(i)) && i == 7);
  // Either width does for both.
  EXPECT_TRUE(succeeded(reader.readDouble(d)) && d == 1);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == 1.5f);
  EXPECT_TRUE(succeeded(reader.readFloat(x)) && x == 2);
  EXPECT_TRUE(succeeded(reader.readBool(t)) && t);
  EXPECT_TRUE(reader.atEnd());
}

TEST(Reader, TextMatrixForms) {
  EXPECT_EQ(parseMatrix("[]").rows, 0);
  EXPECT_EQ(parseMatrix(" [ ]\n").rows, 0);
  Matrix expected(2, 2);
  expected.data = {1, 2, 3, 4};
  EXPECT_EQ(parseMatrix(" [\n  1 2 \n  3 4 ]\n"), expected);
  EXPECT_EQ(parseMatrix("[ 1 2; 3 4 ]"), expected);
  EXPECT_EQ(parseMatrix("[ 1 2\r\n\r\n 3 4]\r\n"), expected);
  EXPECT_EQ(parseMatrix("[ 1 2;\n3 4;\n]\n"), expected);
}

TEST(Reader, CallbackGivesTheSpace) {
  std::string contents = slurp(inputPath("matrix.float.bin"));
  float space[12] = {};
  KaldiReader reader(contents, "input");
  ASSERT_TRUE(succeeded(reader.readHeader()));
  ASSERT_TRUE(succeeded(reader.readMatrix([&](int64_t rows, int64_t cols) {
    EXPECT_EQ(rows, 4);
    EXPECT_EQ(cols, 3);
    return space;
  })));
  EXPECT_EQ(space[11], parseMatrix(contents)(3, 2));
}

TEST(Reader, CallbackRefusesTheSize) {
  std::string message = errorOf("[ 1 2\n 3 4 ]", [](KaldiReader &reader) {
    (void)reader.readMatrix(
        [](int64_t, int64_t) -> float * { return nullptr; });
  });
  EXPECT_EQ(message, "input:1:1: error: unexpected matrix of 2 by 2");
}

TEST(Reader, StreamGivesTheSameAsMemory) {
  std::string contents;
  for (const char *name : {"matrix.double.bin", "compressed.two-byte-auto.bin"})
    contents += "key " + slurp(inputPath(name));
  contents += "key " + slurp(inputPath("matrix.float.values.txt"));
  for (size_t piece : {1, 2, 3, 7, 64, 100000}) {
    PieceSource source(contents, piece);
    KaldiReader stream(source), memory(contents, "input");
    for (int record = 0; record < 3; ++record) {
      Matrix fromStream, fromMemory;
      for (auto [reader, matrix] :
           {std::pair(&stream, &fromStream), std::pair(&memory, &fromMemory)}) {
        EXPECT_TRUE(succeeded(reader->expectToken("key")));
        EXPECT_TRUE(succeeded(reader->readHeader()));
        EXPECT_TRUE(succeeded(reader->readMatrix(*matrix)));
      }
      EXPECT_EQ(fromStream, fromMemory);
      EXPECT_EQ(stream.getOffset(), memory.getOffset());
    }
    EXPECT_TRUE(stream.atEnd());
    EXPECT_FALSE(stream.takeError());
  }
}

TEST(Reader, StreamCountsLines) {
  std::string contents = "a [ 1 2 ]\nb [\n 1 2\n 3 x ]\n";
  PieceSource source(contents, 1);
  KaldiReader reader(source);
  Matrix matrix;
  EXPECT_TRUE(succeeded(reader.expectToken("a")));
  EXPECT_TRUE(succeeded(reader.readMatrix(matrix)));
  EXPECT_TRUE(succeeded(reader.expectToken("b")));
  EXPECT_TRUE(failed(reader.readMatrix(matrix)));
  EXPECT_EQ(llvm::toString(reader.takeError()),
            "pipe:4:4: error: expects a number, but got 'x'");
}

//===----------------------------------------------------------------------===//
// Errors: position and text
//===----------------------------------------------------------------------===//

void readMatrix(KaldiReader &reader) {
  Matrix matrix;
  (void)reader.readMatrix(matrix);
}

void readVector(KaldiReader &reader) {
  std::vector<float> values;
  (void)reader.readVector(values);
}

TEST(ReaderErrors, TextHasLineAndColumn) {
  EXPECT_EQ(errorOf("[\n 1 2\n 3 ]", readMatrix),
            "input:3:4: error: expects 2 values in row 1, but got 1");
  EXPECT_EQ(errorOf("[\n 1 2\n 3 four ]", readMatrix),
            "input:3:4: error: expects a number, but got 'four'");
  EXPECT_EQ(errorOf("[ 1\n 2 ]", readVector),
            "input:1:4: error: expects a vector on one line, but got a line "
            "end");
  EXPECT_EQ(errorOf("[ 1e39 ]", readVector),
            "input:1:3: error: number 1e39 is too large");
  EXPECT_EQ(errorOf("[ 1 2", readVector),
            "input:1:6: error: the file ends where a number is expected");
  EXPECT_EQ(errorOf("1 2", readVector),
            "input:1:1: error: expects '[' of a vector, but got '1'");
  EXPECT_EQ(errorOf("<A>\n<C> ",
                    [](KaldiReader &reader) {
                      (void)reader.expectToken("<A>");
                      (void)reader.expectToken("<B>");
                    }),
            "input:2:1: error: expects <B>, but got '<C>'");
  EXPECT_EQ(errorOf("\n 99999999999 ",
                    [](KaldiReader &reader) {
                      int32_t value;
                      (void)reader.readInt32(value);
                    }),
            "input:2:2: error: integer 99999999999 does not fit in 32 bits");
}

TEST(ReaderErrors, BinaryHasByteOffset) {
  EXPECT_EQ(errorOf(llvm::StringRef("\0C", 2), readMatrix),
            "input:byte 0: error: expects 'B' after a zero byte, the mark of a "
            "binary file");
  EXPECT_EQ(errorOf(llvm::StringRef("\0BFV \4\1\0\0\0", 10), readMatrix),
            "input:byte 2: error: expects a matrix (FM, DM, CM, CM2 or CM3), "
            "but got 'FV'");
  EXPECT_EQ(errorOf(llvm::StringRef("\0BFV \4\1\0\0\0", 10), readVector),
            "input:byte 5: error: expects 4 bytes of elements, but the file "
            "has only 0 more");
  EXPECT_EQ(errorOf(llvm::StringRef("\0BFV \10\1\0\0\0", 10), readVector),
            "input:byte 5: error: expects an integer of 4 bytes, but got size "
            "byte 8");
}

TEST(ReaderErrors, FirstErrorStays) {
  KaldiReader reader("x y", "input");
  int32_t value;
  std::string token;
  EXPECT_TRUE(failed(reader.readInt32(value)));
  EXPECT_TRUE(failed(reader.readToken(token)));
  EXPECT_TRUE(failed(reader.fail("another")));
  EXPECT_EQ(llvm::toString(reader.takeError()),
            "input:1:1: error: expects an integer, but got 'x'");
}

TEST(ReaderErrors, OwnErrorPointsAtTheItemReadLast) {
  EXPECT_EQ(errorOf("<BiasParams>  [ 1 2 ]\n",
                    [](KaldiReader &reader) {
                      (void)reader.expectToken("<BiasParams>");
                      readVector(reader);
                      (void)reader.fail("expects dim 3, but got 2");
                    }),
            "input:1:15: error: expects dim 3, but got 2");
}
} // namespace
