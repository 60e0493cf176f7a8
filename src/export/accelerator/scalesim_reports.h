// SPDX-License-Identifier: Apache-2.0
// Figures of a point under the file and column names of SCALE-Sim 2.0.2.
//
//   const ScalesimReports r = scalesim_reports(point);
//   write_file(folder + "/COMPUTE_REPORT.csv", r.compute);
//
// Columns that require a recorded trace (start and stop cycles) are empty. There is no
// BANDWIDTH_REPORT.csv, because its DRAM columns are words per cycle between those cycles. Layers
// are numbered from 0, as in SCALE-Sim. SRAM writes of os count each word that leaves the array
// once.
#pragma once

#include <string>

#include "accelerator/study/result.h"

namespace ridge::exports {

struct ScalesimReports {
  std::string compute;   ///< COMPUTE_REPORT.csv
  std::string detailed;  ///< DETAILED_ACCESS_REPORT.csv
};

ScalesimReports scalesim_reports(const accelerator::StudyPoint& point);

}  // namespace ridge::exports
