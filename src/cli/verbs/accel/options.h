// SPDX-License-Identifier: Apache-2.0
// Options of ridge accel, as written on the command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridge::cli {

struct AccelOptions {
  std::string model = {};               ///< path, or zoo:NAME
  std::vector<std::string> gemms = {};  ///< "M,N,K" or "M,N,K,count"
  std::string topology = {};            ///< SCALE-Sim CSV; exactly one of these three is given
  std::vector<std::string> binds = {}, shapes = {};
  std::string fuse = "epilogue";             ///< epilogue or none
  std::string profile_with = "closed-form";  ///< closed-form, nest or tir
  bool run_hooks = false;                    ///< only with tir

  std::vector<std::string> machines = {};  ///< shipped names, or .toml files
  std::string config = {};                 ///< SCALE-Sim .cfg; exactly one of these two is given
  std::vector<std::string> sets = {};
  std::string dataflow = {};  ///< os, ws, is or best; empty: the machine's
  std::string energy = {};    ///< shipped table or .toml; empty: the machine's

  std::string convention = {};  ///< empty: overlapped for a machine, scalesim for --config
  std::vector<std::string> pads = {};
  std::string precision = "machine";  ///< operand widths: machine, or file (the model's)
  std::string tile = {};              ///< "Tm,Tn,Tk"; empty: search
  std::string objective = {};         ///< empty: edp
  std::string sensitivity = "auto";
  bool pareto = false;

  std::string format = "table";       ///< table, json, csv or md
  std::size_t top = 20;               ///< layers in tables; 0: all, in file order
  std::string output = {};            ///< a file; empty: standard output
  std::string report = {};            ///< an HTML file; empty: none
  std::string store = {};             ///< run database that stores the points; empty: none
  std::string scalesim_reports = {};  ///< a folder; empty: none
  bool print_template = false, list_machines = false;
};

}  // namespace ridge::cli
