//===- RequestReaderTest.cpp - Requests in text form ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

class RequestReaderTest : public ::testing::Test {
protected:
  RequestReaderTest()
      : module(ModuleOp::create(UnknownLoc::get(&context))),
        handler(&context, [this](Diagnostic &diagnostic) {
          llvm::raw_string_ostream(error)
              << diagnostic.getLocation() << " " << diagnostic;
          return success();
        }) {
    context.loadDialect<Nnet3Dialect>();
  }

  /// The requests as text, or the error.
  std::string read(StringRef text) {
    error.clear();
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto requests = mlir::nnet3::readRequests(text, "r.txt", "net", builder);
    EXPECT_EQ(failed(requests), !error.empty());
    if (failed(requests)) {
      EXPECT_TRUE(module->getBody()->empty());
      return error;
    }
    std::string result;
    for (RequestOp request : *requests) {
      llvm::raw_string_ostream(result) << request << "\n";
      request.erase();
    }
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string error;
  ScopedDiagnosticHandler handler;
};

TEST_F(RequestReaderTest, ReadsAllItems) {
  EXPECT_EQ(read("# a comment\n"
                 "\n"
                 "input name=input n=0:7 t=-3:2,10 has-deriv=true # more\n"
                 "input t=0:9:3 name=ivector n=0:1 order=txn\n"
                 "output  name=output\tn=0:7 t=0\thas-deriv=1\n"
                 "need-model-derivative=True\n"
                 "store-component-stats=yes\n"),
            "nnet3.request @request for @net need_model_derivative {\n"
            "  nnet3.request_input \"input\" <n = 0:7, t = [-3:2, 10]> deriv\n"
            "  nnet3.request_input \"ivector\" <n = 0:1, t = 0:9:3, order = "
            "txn>\n"
            "  nnet3.request_output \"output\" <n = 0:7, t = 0> deriv\n"
            "}\n");
}

TEST_F(RequestReaderTest, ReadsLists) {
  // The first is a product of ranges in disguise, the second is not.
  EXPECT_EQ(read("input name=input indexes=0/0/0;0/1/0;1/0/0;1/1/0;\n"
                 "output name=output indexes=0/5/0;1/-7/2\n"),
            "nnet3.request @request for @net {\n"
            "  nnet3.request_input \"input\" <n = 0:1, t = 0:1>\n"
            "  nnet3.request_output \"output\" <[(0, 5), (1, -7, 2)]>\n"
            "}\n");
}

TEST_F(RequestReaderTest, SeparatesRequests) {
  EXPECT_EQ(read("input name=a\noutput name=b\n---\ninput name=a t=1\n"
                 "output name=b t=1"),
            "nnet3.request @request_1 for @net {\n"
            "  nnet3.request_input \"a\" <t = 0>\n"
            "  nnet3.request_output \"b\" <t = 0>\n"
            "}\n"
            "nnet3.request @request_2 for @net {\n"
            "  nnet3.request_input \"a\" <t = 1>\n"
            "  nnet3.request_output \"b\" <t = 1>\n"
            "}\n");
}

TEST_F(RequestReaderTest, LocatesErrors) {
  EXPECT_EQ(read("input name=input t=0:4:0\n"),
            "loc(\"r.txt\":1:20) expects a positive step, but got 0");
  EXPECT_EQ(read("input name=input t=4:0\n"),
            "loc(\"r.txt\":1:20) expects a range that does not end before it "
            "begins, but got '4:0'");
  EXPECT_EQ(read("\n  input name=input t=1,x\n"),
            "loc(\"r.txt\":2:24) expects a, a:b or a:b:step, but got 'x'");
  EXPECT_EQ(read("input name=input t=\n"),
            "loc(\"r.txt\":1:18) expects key=value, but got 't='");
  EXPECT_EQ(read("input name=input q=1\n"),
            "loc(\"r.txt\":1:18) unknown key 'q'");
  EXPECT_EQ(read("input name=input t=1 t=2\n"),
            "loc(\"r.txt\":1:22) key 't' is given twice");
  EXPECT_EQ(read("input t=1\n"), "loc(\"r.txt\":1:1) expects a name");
  EXPECT_EQ(read("input name=input order=xt\n"),
            "loc(\"r.txt\":1:18) expects order nt, tn or txn, but got 'xt'");
  EXPECT_EQ(read("input name=input indexes=1/2\n"),
            "loc(\"r.txt\":1:26) expects an index n/t/x, but got '1/2'");
  EXPECT_EQ(read("input name=input t=99999999999\n"),
            "loc(\"r.txt\":1:20) expects a, a:b or a:b:step, but got "
            "'99999999999'");
  EXPECT_EQ(read("inputs name=input\n"),
            "loc(\"r.txt\":1:1) unknown item 'inputs name'");
  EXPECT_EQ(read("output name=output\n---\n"),
            "loc(\"r.txt\":1:1) 'nnet3.request' op expects at least one input "
            "and one output");
  EXPECT_EQ(read(""),
            "loc(\"r.txt\":1:1) expects a request with at least one input and "
            "one output");
  EXPECT_EQ(read("input name=a\noutput name=b\n---\n"),
            "loc(\"r.txt\":3:1) expects a request with at least one input and "
            "one output");
}

TEST_F(RequestReaderTest, RejectsRowsThatAreTooMany) {
  EXPECT_EQ(read("input name=a t=0:2147483647\noutput name=b\n"),
            "loc(\"r.txt\":1:16) range '0:2147483647' is too long");
  EXPECT_EQ(read("input name=a t=0:99999 n=0:99999\noutput name=b\n"),
            "loc(\"r.txt\":1:1) too many rows");
}

TEST_F(RequestReaderTest, RejectsRowsThatComeTwice) {
  EXPECT_EQ(read("input name=a t=0:3,2\noutput name=b\n"),
            "loc(\"r.txt\":1:1) t = 2 is listed twice");
  EXPECT_EQ(read("input name=a indexes=0/0/0;0/0/0\noutput name=b\n"),
            "loc(\"r.txt\":1:1) index (0, 0) is listed twice");
}

} // namespace
