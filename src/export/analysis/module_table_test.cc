// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/module_table.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::exports {
namespace {

constexpr std::string_view kModularModel = R"(
  graph main
    input x[2,4]
    constant w[4,4]
    /a/a.0/fc/MatMul: MatMul(x, w) -> p
    /a/a.1/Relu: Relu(p) -> q
    /a/Add: Add(q, p) -> r
    /b/Neg: Neg(r) -> y
    output y
)";

TEST(ModuleTable, TheTreeIsDrawnWithLines) {
  EXPECT_EQ(
      module_tree(analysis::testing::resolved(kModularModel), {.depth = 9}, TreeForm::kText).text(),
      "module             operators  output  nodes  params  MACs    share  bytes\n"
      "-----------------  ---------  ------  -----  ------  ----  -------  -----\n"
      "sketch                        [2, 4]      4      16    32  100.0 %    352\n"
      "├─ a                          [2, 4]      3      16    32  100.0 %    288\n"
      "│  ├─ a.0                     [2, 4]      1      16    32  100.0 %    128\n"
      "│  │  └─ fc        MatMul     [2, 4]      1      16    32  100.0 %    128\n"
      "│  ├─ a.1          Relu       [2, 4]      1       -     -        -     64\n"
      "│  └─ (own nodes)  Add                    1       -     -        -     96\n"
      "└─ b               Neg        [2, 4]      1       -     -        -     64\n");
}

TEST(ModuleTable, TheLastOfEachModuleEndsItsLine) {
  const std::string text = module_tree(analysis::testing::resolved(R"(graph main
    input x[2,4]
    /a/c/d/Relu: Relu(x) -> p
    /a/c/e/Relu: Relu(p) -> q
    /b/f/Relu: Relu(q) -> r
    /b/g/h/Relu: Relu(r) -> s
    /b/g/i/Relu: Relu(s) -> y
    output y)"),
                                       {.depth = 9}, TreeForm::kText)
                               .text();
  for (const std::string_view line : {"\n├─ a ", "\n│  └─ c ", "\n│     ├─ d ", "\n│     └─ e ",
                                      "\n└─ b ", "\n   ├─ f ", "\n   └─ g ", "\n      └─ i "})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(ModuleTable, RowsForSpreadsheetsAreEveryModuleAndNothingFolded) {
  EXPECT_EQ(module_rows(analysis::testing::resolved(kModularModel), 1).csv(),
            "module,depth,operators,output,nodes,params,macs,flops,special,int_ops,bytes_read,"
            "bytes_written,unknown\n"
            ",0,,\"[2, 4]\",4,16,32,24,0,0,224,128,0\n"
            "a,1,Add,\"[2, 4]\",3,16,32,16,0,0,192,96,0\n"
            "b,1,Neg,\"[2, 4]\",1,0,0,8,0,0,32,32,0\n");
}

}  // namespace
}  // namespace ridge::exports
