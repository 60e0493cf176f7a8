// What ridge accel was asked, as written on the command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridge::cli {

struct AccelOptions {
  std::string model = {};               ///< a path, or zoo:NAME
  std::vector<std::string> gemms = {};  ///< "M,N,K" or "M,N,K,count"
  std::string topology = {};            ///< a SCALE-Sim CSV; of the three one is given
  std::vector<std::string> binds = {}, shapes = {};
  std::string fuse = "epilogue";             ///< or none
  std::string profile_with = "closed-form";  ///< or nest, or tir
  bool run_hooks = false;                    ///< of tir

  std::vector<std::string> machines = {};  ///< shipped names, or .toml files
  std::string config = {};                 ///< a SCALE-Sim .cfg; of the two one is given
  std::vector<std::string> sets = {};
  std::string dataflow = {};  ///< os, ws, is or best in place of the machine's
  std::string energy = {};    ///< a table in place of the machine's: a shipped name, or a .toml

  std::string convention = {};  ///< empty: overlapped of a machine, scalesim of a configuration
  std::vector<std::string> pads = {};
  std::string precision = "machine";  ///< or file: of operands, as the model stores them
  std::string tile = {};              ///< "Tm,Tn,Tk"; empty: searched
  std::string objective = "latency";
  std::string sensitivity = "auto";
  bool pareto = false;

  std::string format = "table";       ///< table, json, csv or md
  std::size_t top = 20;               ///< layers in tables; 0: all, in order
  std::string output = {};            ///< a file; empty: standard output
  std::string report = {};            ///< a page; empty: none
  std::string store = {};             ///< a run database that keeps the points; empty: none
  std::string scalesim_reports = {};  ///< a folder; empty: none
  bool print_template = false, list_machines = false;
};

}  // namespace ridge::cli
