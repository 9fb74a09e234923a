//===- PrintableTextTest.cpp - Text that a terminal may show --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "gtest/gtest.h"

using namespace nnet3::kaldi;

namespace {
TEST(PrintableText, Escapes) {
  EXPECT_EQ(makePrintable("a\nb \\1B"), "a\nb \\1B");
  EXPECT_EQ(makePrintable("\x1b[31m\r\t\x7f"), "\\1B[31m\\0D\\09\\7F");
  EXPECT_EQ(makePrintable(llvm::StringRef("\0x", 2)), "\\00x");
  // UTF-8 stays, except for control characters and what is no UTF-8.
  EXPECT_EQ(makePrintable("Z\xc3\xbcrich"), "Z\xc3\xbcrich");
  EXPECT_EQ(makePrintable("\xc2\x9b[31m"), "\\C2\\9B[31m");
  EXPECT_EQ(makePrintable("\xff\xc3"), "\\FF\\C3");
}

TEST(PrintableText, ShortMessages) {
  EXPECT_EQ(makeShortMessage(""), "");
  EXPECT_EQ(makeShortMessage("one\ntwo\n"), "one\ntwo\n");
  EXPECT_EQ(makeShortMessage(std::string(1000, 'x') + "\ny"),
            std::string(1000, 'x') + "\ny");
  EXPECT_EQ(makeShortMessage(std::string(1001, 'x') + "\ny"),
            std::string(1000, 'x') + "...\ny");
  std::string lines;
  for (int i = 0; i < 100000; ++i)
    lines += "line\n";
  EXPECT_LT(makeShortMessage(lines).size(), 4100u);
  EXPECT_LT(makeShortMessage(std::string(1 << 20, '\1')).size(), 4100u);
}

TEST(PrintableText, LinesThatFit) {
  LineExcerpt excerpt = excerptLine("a\tb\x1b c", 4);
  EXPECT_EQ(excerpt.text, "a b\\1B c");
  EXPECT_EQ(excerpt.caret, 6u);
  // The caret stands below characters, not bytes.
  excerpt = excerptLine("\xc3\xbc = 1", 3);
  EXPECT_EQ(excerpt.text, "\xc3\xbc = 1");
  EXPECT_EQ(excerpt.caret, 2u);
  excerpt = excerptLine(std::string(200, 'x'), 200);
  EXPECT_EQ(excerpt.text, std::string(200, 'x'));
  EXPECT_EQ(excerpt.caret, 200u);
  excerpt = excerptLine("", 7);
  EXPECT_EQ(excerpt.text, "");
  EXPECT_EQ(excerpt.caret, 0u);
}

TEST(PrintableText, LongLines) {
  std::string x(1000, 'x'), y(1000, 'y');
  // In the middle, at the beginning and at the end.
  LineExcerpt excerpt = excerptLine(x + y, 1000);
  EXPECT_EQ(excerpt.text, "..." + x.substr(903) + y.substr(903) + "...");
  EXPECT_EQ(excerpt.caret, 100u);
  excerpt = excerptLine(x, 0);
  EXPECT_EQ(excerpt.text, x.substr(803) + "...");
  EXPECT_EQ(excerpt.caret, 0u);
  excerpt = excerptLine(x, 1000);
  EXPECT_EQ(excerpt.text, "..." + x.substr(803));
  EXPECT_EQ(excerpt.caret, 200u);
  excerpt = excerptLine(std::string(1000, '\1'), 500);
  EXPECT_LE(excerpt.text.size(), 200u);
  // A character is never cut.
  std::string umlauts;
  for (int i = 0; i < 500; ++i)
    umlauts += "\xc3\xbc";
  for (size_t column : {400u, 402u}) {
    excerpt = excerptLine(umlauts, column);
    EXPECT_EQ(makePrintable(excerpt.text), excerpt.text);
    EXPECT_LE(excerpt.text.size(), 200u);
  }
}
} // namespace
