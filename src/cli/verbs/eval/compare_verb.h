// SPDX-License-Identifier: Apache-2.0
// ridge eval compare: evaluations against a baseline, sample by sample.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

struct EvalCompareOptions {
  std::vector<std::string> documents = {};
  std::vector<std::string> labels = {};   ///< NAME=DOCUMENT
  std::vector<std::string> fail_on = {};  ///< see compare/evaluation_limit.h
  bool fail_on_uncertain = false;         ///< a limit inside the interval also fails
  std::size_t top = 20;                   ///< changed samples in tables; 0: all
  std::string format = "table";           ///< table, json, csv, md or html
  std::string output = {}, report = {};
};

int eval_compare(const EvalCompareOptions& options, Console& console);

inline constexpr std::string_view kEvalCompareExamples =
    "ridge eval compare base.json other.json                   # which answers changed, accuracy, "
    "times\n"
    "ridge eval compare base.json bgr.json nearest.json --report compare.html   # each against the "
    "first\n"
    "ridge eval compare two_runtimes.json                      # runtimes of one document\n"
    "ridge eval compare base.json other.json --fail-on 'accuracy<0%' --fail-on 'p99>5%'   # exit "
    "with 1 if significantly worse\n";

Run setup_eval_compare(Flags& flags);

}  // namespace ridge::cli
