// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/files.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::accelerator {
namespace {

constexpr std::string_view kHeader = "Layer name, IFMAP Height, ...\n";

std::string topology_error(const std::string& rows) {
  const auto read = read_topology(std::string(kHeader) + rows);
  return read.ok() ? "" : read.error().text();
}

TEST(Topology, ReadsConvolutionsAndProducts) {
  const auto read = read_topology(
      "\xEF\xBB\xBFname, h, w, fh, fw, c, n, s,\r\n"
      "Conv1, 224, 112, 7, 5, 3, 64, 2,\r\n"
      "\r\n"
      "Two, 9, 9, 3, 3, 4, 8, 2, 1,\r\n"
      "Product, 10, 20, 30,\r\n"
      "DP3, 8, 8, 3, 3, 16, 1, 1,");
  ASSERT_TRUE(read.ok()) << read.error().text();
  ASSERT_EQ(read->size(), 4U);
  const Gemm& conv = (*read)[0].gemm;
  EXPECT_EQ((*read)[0].name, "Conv1");
  // ceil((224 - 7 + 2) / 2) = 110, ceil((112 - 5 + 2) / 2) = 55
  EXPECT_EQ(conv.m, 110 * 55);
  EXPECT_EQ(conv.n, 64);
  EXPECT_EQ(conv.k, 7 * 5 * 3);
  EXPECT_EQ((*read)[1].gemm.m, 4 * 7);
  EXPECT_EQ((*read)[2].gemm, matrix_product(10, 20, 30));
  EXPECT_EQ((*read)[3].gemm.count, 16);
  EXPECT_EQ((*read)[3].gemm.k, 9);
}

TEST(Topology, NamesTheLineOfWhatItCannotRead) {
  EXPECT_EQ(topology_error("A, 8, 8, 3, 3, 1, 4, 1,\nB, 8, 8, x, 3, 1, 4, 1,\n"),
            "error: line 3: filter height is 'x'\n"
            "  hint: expected a whole number from 1 to 16777216\n"
            "  [RIDGE-ACC-0103]\n");
  EXPECT_EQ(topology_error("A, 8, 8, 9, 3, 1, 4, 1,\n"),
            "error: line 2: the filter's height 9 is larger than the ifmap's, 8\n"
            "  hint: topologies have no padding field: use the size of the padded ifmap\n"
            "  [RIDGE-ACC-0104]\n");
  EXPECT_EQ(
      topology_error("A; 8; 8; 3; 3; 1; 4; 1\n"),
      "error: line 2: 0 fields after the name: expected 3 (M, N, K), or 7 or 8 (convolution)\n"
      "  hint: separate fields with commas, not semicolons\n"
      "  [RIDGE-ACC-0102]\n");
  EXPECT_EQ(
      topology_error("A, 8, 8, 3, 3, 1,\n"),
      "error: line 2: 5 fields after the name: expected 3 (M, N, K), or 7 or 8 (convolution)\n"
      "  hint: fields of a convolution: ifmap height, ifmap width, filter height, filter width, "
      "channels, filters, stride, second stride\n"
      "  [RIDGE-ACC-0102]\n");
  EXPECT_EQ(topology_error("A, 0, 20, 30,\n"),
            "error: line 2: M is '0'\n"
            "  hint: expected a whole number from 1 to 16777216\n"
            "  [RIDGE-ACC-0103]\n");
  EXPECT_EQ(topology_error("A, 16777216, 16777216, 16777216,\n"),
            "error: line 2: a product of 16777216 x 16777216 x 16777216 is too large\n"
            "  hint: each matrix may have up to 1099511627776 elements\n"
            "  [RIDGE-ACC-0105]\n");
  EXPECT_EQ(topology_error(""),
            "error: the topology has no layers\n"
            "  hint: the first line contains the column names, each further line one layer\n"
            "  [RIDGE-ACC-0101]\n");
}

TEST(Topology, ReadsTheSparsityOfVersion3) {
  const auto read = read_topology(
      "name, h, w, fh, fw, c, n, s, sparsity,\n"
      "Conv1, 9, 9, 3, 3, 4, 8, 2, 2:4,\n"
      "Two, 9, 9, 3, 3, 4, 8, 2, 1, 1:4,\n"
      "Dense, 9, 9, 3, 3, 4, 8, 2, 4:4,\n"
      "Product, 10, 20, 30, 1:2,\n");
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ((*read)[0].gemm.sparsity, (Sparsity{2, 4}));
  EXPECT_EQ((*read)[0].gemm.m, 16);  // both strides are 2
  EXPECT_EQ((*read)[1].gemm.sparsity, (Sparsity{1, 4}));
  EXPECT_EQ((*read)[1].gemm.m, 28);
  EXPECT_TRUE((*read)[2].gemm.sparsity.dense());
  EXPECT_EQ((*read)[3].gemm.sparsity, (Sparsity{1, 2}));
  EXPECT_EQ(topology_error("A, 9, 9, 3, 3, 4, 8, 2, 5:4,\n"),
            "error: line 2: the sparsity is '5:4'\n"
            "  hint: expected N:M, of each M rows of the filter N that are not zero: 2:4\n"
            "  [RIDGE-ACC-0108]\n");
}

TEST(ScalesimConfig, RefusesByNameWhatOfVersion3IsNotModeled) {
  const auto error = [](const std::string& more) {
    const auto read = read_scalesim_config(
        "arrayheight: 16\nArrayWidth: 8\nifmapsramszkB: 64\nFilterSramSzkB: 32\n"
        "OfmapSramSzkB: 4\nDataflow : ws\nBandwidth : 10\n" +
        more);
    return read.ok() ? std::string() : read.error().message();
  };
  EXPECT_EQ(error("SparsitySupport: true\nOptimizedMapping: false\nUseRamulatorTrace: False\n"),
            "");
  EXPECT_EQ(error("SparsitySupport: false\nOptimizedMapping: true\n"), "");
  EXPECT_EQ(error("SparsitySupport: true\nOptimizedMapping: true\n"),
            "OptimizedMapping: true is not modeled");
  EXPECT_EQ(error("UseRamulatorTrace: True\n"), "UseRamulatorTrace: true is not modeled");
  EXPECT_EQ(error("IfmapCustomLayout: True\n"), "IfmapCustomLayout: true is not modeled");
  EXPECT_EQ(error("FilterCustomLayout: on\n"), "FilterCustomLayout: true is not modeled");
  EXPECT_EQ(error("SparsitySupport: true\nInterfaceBandwidth: USER\n"),
            "SparsitySupport: true in mode USER is not modeled");
  EXPECT_EQ(error("IfmapSRAMBankBandwidth: 16\nInterfaceBandwidth: USER\n"),
            "IfmapSRAMBankBandwidth, other than Bandwidth, in mode USER is not modeled");
  EXPECT_EQ(error("IfmapSRAMBankBandwidth: 16\nInterfaceBandwidth: CALC\n"), "");
}

TEST(ScalesimConfig, ReadsBothKindsOfDivider) {
  const auto read = read_scalesim_config(
      "[general]\nrun_name = x\n[architecture_presets]\nArrayHeight: 16\nArrayWidth = 8\n"
      "IfmapSramSzkB: 64\nFilterSramSzkB: 32\nOfmapSramSzkB: 4\nDataflow : ws\nBandwidth : 10\n"
      "[run_presets]\nInterfaceBandwidth: CALC\n");
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->rows, 16);
  EXPECT_EQ(read->columns, 8);
  EXPECT_EQ(read->dataflow, Dataflow::kWeightStationary);
  EXPECT_EQ(read->sram_bytes.ifmap, 65536);
  EXPECT_EQ(read->sram_bytes.filter, 32768);
  EXPECT_EQ(read->sram_bytes.ofmap, 4096);
}

TEST(ScalesimConfig, SaysWhatIsWrong) {
  const auto error = [](const char* text) {
    const auto read = read_scalesim_config(text);
    return read.ok() ? std::string() : read.error().text();
  };
  EXPECT_EQ(error("ArrayHeight: 0\n"),
            "error: line 1: ArrayHeight is '0': expected a whole number from 1 to 1048576\n"
            "  [RIDGE-ACC-0112]\n");
  EXPECT_EQ(error("[general]\nArrayHeight 4\n"),
            "error: line 2: 'ArrayHeight 4' is not of the form 'key: value'\n"
            "  [RIDGE-ACC-0111]\n");
  EXPECT_EQ(error("Dataflow: rs\n"),
            "error: line 1: invalid Dataflow 'rs': expected os, ws or is\n"
            "  [RIDGE-ACC-0114]\n");
  EXPECT_EQ(error("InterfaceBandwidth: FAST\n"),
            "error: line 1: invalid InterfaceBandwidth 'FAST': expected CALC or USER\n"
            "  [RIDGE-ACC-0115]\n");
  EXPECT_EQ(error("ArrayHeight: 4\n"),
            "error: ArrayWidth is missing\n"
            "  hint: a SCALE-Sim configuration has it in [architecture_presets]\n"
            "  [RIDGE-ACC-0113]\n");
}

}  // namespace
}  // namespace ridge::accelerator
