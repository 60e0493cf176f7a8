// A point's figures under the file names and column names of SCALE-Sim 2.0.2.
//
//   const ScalesimReports r = scalesim_reports(point);
//   write_file(folder + "/COMPUTE_REPORT.csv", r.compute);
//
// Columns that only a recorded trace could tell (start and stop cycles) are empty; that is why
// there is no BANDWIDTH_REPORT.csv, whose DRAM columns are words per cycle between those. Layers
// are numbered as SCALE-Sim does, from 0. SRAM writes of os are the words that leave the array,
// each once.
#pragma once

#include <string>

#include "accelerator/study.h"

namespace ridge::exports {

struct ScalesimReports {
  std::string compute;   ///< COMPUTE_REPORT.csv
  std::string detailed;  ///< DETAILED_ACCESS_REPORT.csv
};

ScalesimReports scalesim_reports(const accelerator::StudyPoint& point);

}  // namespace ridge::exports
