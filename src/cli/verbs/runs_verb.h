// SPDX-License-Identifier: Apache-2.0
// ridge runs: lists, edits and exports the runs of a run database, and makes baselines of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"
#include "store/run_filter.h"

namespace ridge::cli {

struct RunsOptions {
  std::string action;               ///< list, show, add, delete, merge, export, baseline, ...
  std::string store;                ///< database; show: also runs.db:7
  std::vector<std::string> others;  ///< show, delete: runs; add: documents; merge: databases
  store::RunFilter only;            ///< list: filter
  std::string format = "table";     ///< table, json, csv, md
  std::size_t top = 15;             ///< show: layers in the table; 0: all
  std::string output;
  std::string folder;                            ///< export: --out
  std::string rows = "model", columns = "host";  ///< baseline
  std::string threshold, report;                 ///< baseline
};

int runs(const RunsOptions& options, Console& console);

inline constexpr std::string_view kRunsExamples =
    "ridge runs list runs.db                        # the stored runs\n"
    "ridge runs list runs.db --model resnet --since 2026-11-01\n"
    "ridge runs show runs.db last                   # a run as ridge profile printed it\n"
    "ridge runs show runs.db:7 --format json        # its document\n"
    "ridge runs add runs.db run.json other.json     # documents of ridge profile\n"
    "ridge runs delete runs.db 3 5\n"
    "ridge runs merge runs.db from-the-server.db    # duplicates are skipped\n"
    "ridge runs list 'postgresql://?service=lab'    # a server as run database, everywhere\n"
    "ridge runs export runs.db --out tables         # runs, layers, nodes, evaluations as CSV\n"
    "ridge runs experiments lab.db                  # what ridge submit was asked for, and how far "
    "it is\n"
    "ridge runs experiments lab.db matrix           # its points and machines\n"
    "ridge runs baseline lab.db --rows model --columns host -o baseline.json\n"
    "                                               # what equal machines do, and which is off\n";

Run setup_runs(Flags& flags);

}  // namespace ridge::cli
