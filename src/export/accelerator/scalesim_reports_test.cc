// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/scalesim_reports.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "accelerator/scalesim/files.h"

namespace ridge::exports {
namespace {

using accelerator::Dataflow;
using Rows = std::vector<std::vector<std::string>>;

/// Cells without surrounding blanks; the heading is a row too.
Rows report_rows(const std::string& csv) {
  Rows out;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    out.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      const std::size_t first = cell.find_first_not_of(' ');
      out.back().push_back(first == std::string::npos ? "" : cell.substr(first));
    }
  }
  return out;
}

accelerator::StudyPoint point_on(Dataflow dataflow) {
  const auto topology = accelerator::read_topology(
      "name, h, w, fh, fw, c, n, s,\nfirst, 8, 8, 3, 3, 4, 8, 1,\nsecond, 6, 6, 3, 3, 3, 5, 1,\n");
  EXPECT_TRUE(topology.ok());
  auto network = std::make_shared<accelerator::StudyNetwork>();
  for (const accelerator::TopologyLayer& l : *topology) {
    network->lowered.layers.emplace_back();
    network->lowered.layers.back().name = l.name;
    network->lowered.layers.back().gemms = {l.gemm};
  }
  accelerator::ScalesimMachine machine;
  machine.rows = machine.columns = 4;
  machine.sram_bytes = {1024, 1024, 1024};
  machine.dataflow = dataflow;
  accelerator::StudyPoint point;
  point.estimate = accelerator::estimate(network->lowered.layers, machine);
  point.network = std::move(network);
  point.machine = machine;
  return point;
}

/// Output of SCALE-Sim 2.0.2 for that topology on a 4 x 4 array with 1 KiB per memory, mode CALC;
/// of its detailed report only the columns of words. Cells that ridge leaves empty are empty here.
struct OnLayerDone {
  Dataflow dataflow;
  std::string compute, detailed;
};
const OnLayerDone kTold[] = {
    {Dataflow::kWeightStationary,
     "0, 827, 0, 78.35550181378477, 100.0, 73.46938775510205,\n"
     "1, 363, 0, 37.1900826446281, 60.26785714285714, 33.25123152709361,\n",
     "0, , , 2592, , , 288, , , 2592, , , 256, , , 288, , , 2595,\n"
     "1, , , 864, , , 135, , , 560, , , 108, , , 135, , , 563,\n"},
    {Dataflow::kOutputStationary,  // SCALE-Sim counts SRAM writes with rows and columns of a fold
     "0, 755, 0, 85.82781456953643, 100.0, 85.71428571428572,\n"
     "1, 263, 0, 51.330798479087456, 62.5, 51.13636363636363,\n",
     "0, , , 2592, , , 2592, , , 288, , , 256, , , 288, , , 288,\n"
     "1, , , 864, , , 540, , , 80, , , 108, , , 135, , , 80,\n"}};

void expect_equal(const std::string& ours, const std::string& told) {
  const Rows got = report_rows(ours), want = report_rows(told);
  ASSERT_EQ(got.size(), want.size() + 1);
  for (std::size_t r = 0; r < want.size(); ++r) {
    ASSERT_EQ(got[r + 1].size(), want[r].size());
    ASSERT_EQ(got[0].size(), want[r].size());
    for (std::size_t c = 0; c < want[r].size(); ++c) {
      EXPECT_EQ(got[r + 1][c].empty(), want[r][c].empty()) << got[0][c];
      EXPECT_DOUBLE_EQ(std::atof(got[r + 1][c].c_str()), std::atof(want[r][c].c_str()))
          << got[0][c];
    }
  }
}

TEST(ScalesimReports, AreWhatScaleSimWritesOfTheSameNetwork) {
  for (const OnLayerDone& told : kTold) {
    const ScalesimReports reports = scalesim_reports(point_on(told.dataflow));
    expect_equal(reports.compute, told.compute);
    expect_equal(reports.detailed, told.detailed);
  }
}

TEST(ScalesimReports, HaveTheColumnsOfScaleSim) {
  const ScalesimReports reports = scalesim_reports(point_on(Dataflow::kOutputStationary));
  EXPECT_EQ(reports.compute.substr(0, reports.compute.find('\n')),
            "LayerID, Total Cycles, Stall Cycles, Overall Util %, Mapping Efficiency %, Compute "
            "Util %,");
  EXPECT_EQ(report_rows(reports.detailed)[0].size(), 19U);
}

}  // namespace
}  // namespace ridge::exports
