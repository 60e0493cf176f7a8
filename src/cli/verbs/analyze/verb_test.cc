// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/analyze/verb.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/app.h"
#include "cli/verbs/explain_verb.h"
#include "graph/sketch.h"
#include "onnx/writer.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

struct AnalyzeOutcome {
  int status;
  std::string out, err;
};

class AnalyzeVerb : public ::testing::Test {
 protected:
  AnalyzeVerb() {
    std::string pattern = (fs::temp_directory_path() / "ridge-analyze-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~AnalyzeVerb() override { fs::remove_all(folder_); }

  /// Writes the sketched model to a file and returns its path.
  std::string file(std::string_view sketch) {
    std::string path = (folder_ / "model.onnx").string();
    EXPECT_TRUE(onnx::write_file(*graph::Sketch::document(sketch), path).ok());
    return path;
  }

  AnalyzeOutcome ran(const AnalyzeOptions& options) {
    StringSink out, err;
    Console console{out, err};
    const int status = analyze(options, console);
    return {status, in_place(out.text()), in_place(err.text())};
  }

  /// Replaces the path of the temporary folder by DIR.
  std::string in_place(std::string text) const {
    for (std::size_t at; (at = text.find(folder_.string())) != std::string::npos;)
      text.replace(at, folder_.string().size(), "DIR");
    return text;
  }

  fs::path folder_;
};

constexpr std::string_view kModel = R"(
  graph main
    input x[batch,4]
    constant w[4,8]
    /fc/MatMul: MatMul(x, w) -> h
    /act/Relu: Relu(h) -> y
    output y
)";

TEST_F(AnalyzeVerb, PrintsThePageForPeople) {
  const AnalyzeOutcome o = ran({.model = file(kModel), .binds = {"batch=2"}});
  EXPECT_EQ(o.status, kDone);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, R"(DIR/model.onnx
  producer not named, IR 8, opset 17, 2 nodes
  input x float32 [2, 4]
  output y float32 [2, 8]
  sizes batch = 2

total
-----------  -----  --------------------------------------------------------
MACs            64  multiply-accumulates of convolutions and matrix products
flops           16  other additions, multiplications, comparisons
special          0  divisions, roots, exponentials and the like
integer          0  these operations on integers
parameters      32  128 B as stored
read         224 B  without fusion
written      128 B  without fusion
activations  128 B  peak of live tensors, in file order
intensity    0.409  FLOP/B, a multiply-accumulate as 2

  2 nodes counted, 0 without work by definition, 0 unknown (0.0 %)

By operator
operator  nodes  MACs    share  flops  special  params  bytes  unknown
--------  -----  ----  -------  -----  -------  ------  -----  -------
MatMul        1    64  100.0 %      -        -      32    224        -
Relu          1     -        -     16        -       -    128        -

Nodes with most MACs (top 10)
node  name        operator  output  MACs    share  flops  bytes  FLOP/B
----  ----------  --------  ------  ----  -------  -----  -----  ------
   0  /fc/MatMul  MatMul    [2, 8]    64  100.0 %      0    224   0.571
   1  /act/Relu   Relu      [2, 8]     0        -     16    128   0.125

By module
module      operators  output  nodes  params  MACs    share  bytes
----------  ---------  ------  -----  ------  ----  -------  -----
model.onnx             [2, 8]      2      32    64  100.0 %    352
├─ fc       MatMul     [2, 8]      1      32    64  100.0 %    224
└─ act      Relu       [2, 8]      1       -     -        -    128
)");
}

TEST_F(AnalyzeVerb, WarnsOfWhatItAssumes) {
  const AnalyzeOutcome o = ran({.model = file(kModel), .format = "json"});
  EXPECT_EQ(o.status, kDone);
  EXPECT_EQ(o.err,
            "warning: DIR/model.onnx: 'batch', the leading dimension of input 'x', is free and "
            "defaults to 1; set it with --bind batch=N\n");
  EXPECT_EQ(nlohmann::json::parse(o.out)["bindings"],
            nlohmann::json::parse(R"({"batch":{"value":1,"assumed":true}})"));
}

TEST_F(AnalyzeVerb, AnUnknownOperatorWarnsAndFailsOnlyWhenStrict) {
  const std::string path = file("graph main\n input x[2]\n odd: com.acme.Odd(x) -> y\n output y");
  const AnalyzeOutcome o = ran({.model = path});
  EXPECT_EQ(o.status, kDone);
  EXPECT_EQ(
      o.err,
      "warning: DIR/model.onnx: 1 node of an unknown operator, not counted: com.acme.Odd (1)\n");
  EXPECT_NE(o.out.find("0 nodes counted, 0 without work by definition, 1 unknown (100.0 %)"),
            std::string::npos);
  EXPECT_EQ(ran({.model = path, .strict = true}).status, kCheckFailed);
}

TEST_F(AnalyzeVerb, AnUnboundSizeIsRejectedWithTheFlagThatSetsIt) {
  const AnalyzeOutcome o =
      ran({.model = file("graph main\n input x[batch,sequence]\n r: Relu(x) -> y\n output y")});
  EXPECT_EQ(o.status, kRejected);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(
      o.err,
      R"(error: DIR/model.onnx: a size is free: 'sequence' (dimension 1 of input 'x', [batch, sequence])
  hint: set it with --bind sequence=N, or pass an array with its sizes: --input x=FILE.npy
  [RIDGE-ANA-0101]
)");
}

TEST_F(AnalyzeVerb, AMissingFileIsTheEnvironments) {
  const AnalyzeOutcome o = ran({.model = (folder_ / "missing.onnx").string()});
  EXPECT_EQ(o.status, kEnvironment);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(o.err.starts_with("error: DIR/missing.onnx")) << o.err;
}

TEST_F(AnalyzeVerb, TheDocumentGoesToAFileWhole) {
  const std::string path = (folder_ / "counts.json").string();
  const AnalyzeOutcome o =
      ran({.model = file(kModel), .binds = {"batch=2"}, .format = "json", .output = path});
  EXPECT_EQ(o.out, "");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(nlohmann::json::parse(text.str())["totals"]["macs"], 64);
  EXPECT_EQ(ran({.model = file(kModel), .output = (folder_ / "no" / "where").string()}).status,
            kEnvironment);
}

TEST_F(AnalyzeVerb, CsvHasARowPerNode) {
  EXPECT_EQ(ran({.model = file(kModel), .binds = {"batch=2"}, .format = "csv"}).out,
            "index,parent,repeat,name,op_type,domain,module,output,macs,flops,special,int_ops,"
            "params,bytes_read,bytes_written,intensity,status,reason\n"
            "0,,1,/fc/MatMul,MatMul,,fc,\"float32 [2, "
            "8]\",64,0,0,0,32,160,64,0.5714285714285714,counted,\n"
            "1,,1,/act/Relu,Relu,,act,\"float32 [2, 8]\",0,16,0,0,0,64,64,0.125,counted,\n");
}

TEST_F(AnalyzeVerb, RepeatedFlagsAddUpAndLeaveTheModelAlone) {
  const std::string path =
      file("graph main\n input a[n,m] b[k,m]\n cat: Concat(a, b) {axis=0} -> y\n output y");
  StringSink out, err;
  Console console{out, err};
  const std::vector<std::string> arguments = {"analyze", "--shape", "a=2x8", "--bind",   "k=3",
                                              "--bind",  "n=2",     path,    "--format", "json"};
  ASSERT_EQ(run_program(arguments, verbs(), console), kDone) << err.text();
  EXPECT_EQ(nlohmann::json::parse(out.text())["outputs"][0]["shape"], nlohmann::json({5, 8}));
}

TEST_F(AnalyzeVerb, TopLimitsTheRowsOfEveryFormat) {
  const std::string path = file(kModel);
  const auto json = nlohmann::json::parse(ran({.model = path, .format = "json", .top = 1}).out);
  ASSERT_EQ(json["nodes"].size(), 1U);
  EXPECT_EQ(json["nodes"][0]["op_type"], "MatMul");
  EXPECT_EQ(json["totals"]["nodes"], 2);
}

TEST_F(AnalyzeVerb, HostileNamesStayText) {
  const std::string path =
      file("graph main\n input x[2]\n \x1b[31m<b>|=cmd(): Relu(x) -> y\n output y");
  const AnalyzeOutcome text = ran({.model = path});
  EXPECT_EQ(text.out.find('\x1b'), std::string::npos);
  const AnalyzeOutcome md = ran({.model = path, .format = "md"});
  EXPECT_EQ(md.out.find("<b>"), std::string::npos);
  EXPECT_EQ(md.out.find('\x1b'), std::string::npos);
}

/// Runs `ridge explain` on a node with --no-measure.
AnalyzeOutcome explained(const std::string& model, const std::string& node) {
  StringSink out, err;
  Console console{out, err};
  ExplainOptions options;
  options.source = model;
  options.what = node;
  options.measuring.binds = {"batch=2"};
  options.measure = false;
  const int status = explain(options, console);
  return {status, out.text(), err.text()};
}

TEST_F(AnalyzeVerb, ExplainShowsOneNode) {
  const AnalyzeOutcome o = explained(file(kModel), "/fc/MatMul");
  EXPECT_EQ(o.status, kDone);
  EXPECT_TRUE(
      o.out.starts_with("node #0 '/fc/MatMul', MatMul of opset 17\n"
                        "  module     fc\n"
                        "  input 0    x float32 [2, 4], activation\n"
                        "  input 1    w float32 [4, 8], weight\n"
                        "  output 0   h float32 [2, 8]\n"))
      << o.out;
  EXPECT_NE(o.out.find("  MACs       64\n"), std::string::npos);
}

TEST_F(AnalyzeVerb, ExplainFindsByIndexAndByTensorAndSuggests) {
  const std::string path = file(kModel);
  EXPECT_TRUE(explained(path, "1").out.starts_with("node #1"));
  EXPECT_TRUE(explained(path, "h").out.starts_with("node #0"));
  const AnalyzeOutcome o = explained(path, "/fc/MatMull");
  EXPECT_EQ(o.status, kUsage);
  EXPECT_EQ(o.err,
            "error: the model has no node '/fc/MatMull'\n  hint: did you mean '/fc/MatMul'?\n"
            "  [RIDGE-CLI-0201]\n");
}

}  // namespace
}  // namespace ridge::cli
