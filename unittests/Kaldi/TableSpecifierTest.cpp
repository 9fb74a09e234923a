//===- TableSpecifierTest.cpp - rspecifiers and wspecifiers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "gtest/gtest.h"

using namespace nnet3::kaldi;

namespace {
template <typename T> std::string errorOf(llvm::StringRef text) {
  llvm::Expected<T> parsed = T::parse(text);
  if (parsed)
    return "";
  return llvm::toString(parsed.takeError());
}

TEST(RSpecifier, Options) {
  auto parsed = RSpecifier::parse("o,ark,s,cs,p,bg,t:feats.ark");
  ASSERT_TRUE(bool(parsed));
  EXPECT_FALSE(parsed->isScript);
  EXPECT_TRUE(parsed->once && parsed->sorted && parsed->calledSorted &&
              parsed->permissive);
  EXPECT_EQ(parsed->rxfilename, "feats.ark");

  parsed = RSpecifier::parse("scp,s,ns,np:zcat feats.scp.gz |");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(parsed->isScript);
  EXPECT_FALSE(parsed->once || parsed->sorted || parsed->calledSorted ||
               parsed->permissive);
  EXPECT_EQ(parsed->rxfilename, "zcat feats.scp.gz |");
}

TEST(RSpecifier, Errors) {
  EXPECT_EQ(errorOf<RSpecifier>("feats.ark"),
            "error: 'feats.ark': expects 'ark:' or 'scp:' before the file");
  EXPECT_EQ(errorOf<RSpecifier>("ark:feats.ark "),
            "error: 'ark:feats.ark ': expects no blank at the end");
  EXPECT_EQ(errorOf<RSpecifier>("ark,scp:a"),
            "error: 'ark,scp:a': expects one of 'ark' and 'scp', but got 2");
  EXPECT_EQ(errorOf<RSpecifier>("s,cs:a"),
            "error: 's,cs:a': expects one of 'ark' and 'scp', but got 0");
  EXPECT_EQ(errorOf<RSpecifier>("ark,x:a"),
            "error: 'ark,x:a': unknown option 'x' of a table to read");
}

TEST(WSpecifier, Options) {
  auto parsed = WSpecifier::parse("ark,t,f:-");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(parsed->writesArchive && !parsed->writesScript);
  EXPECT_FALSE(parsed->binary);
  EXPECT_EQ(parsed->archive, "-");

  parsed = WSpecifier::parse("ark,scp:a.ark,a.scp");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(parsed->writesArchive && parsed->writesScript && parsed->binary);
  EXPECT_EQ(parsed->archive, "a.ark");
  EXPECT_EQ(parsed->script, "a.scp");

  parsed = WSpecifier::parse("scp,p:out.scp");
  ASSERT_TRUE(bool(parsed));
  EXPECT_TRUE(!parsed->writesArchive && parsed->writesScript &&
              parsed->permissive);
  EXPECT_EQ(parsed->script, "out.scp");
}

TEST(WSpecifier, Errors) {
  EXPECT_EQ(errorOf<WSpecifier>("t:a"),
            "error: 't:a': expects 'ark', 'scp' or 'ark,scp'");
  EXPECT_EQ(errorOf<WSpecifier>("scp,ark:a,b"),
            "error: 'scp,ark:a,b': expects 'ark' before 'scp'");
  EXPECT_EQ(errorOf<WSpecifier>("ark,scp:a"),
            "error: 'ark,scp:a': expects an archive and a script file, "
            "separated by one comma");
  EXPECT_EQ(errorOf<WSpecifier>("ark,ark:a"),
            "error: 'ark,ark:a': 'ark' comes twice");
  EXPECT_EQ(errorOf<WSpecifier>("ark,s:a"),
            "error: 'ark,s:a': unknown option 's' of a table to write");
}
} // namespace
