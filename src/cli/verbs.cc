#include <array>

#include "cli/verb.h"
#include "cli/verbs/accel_verb.h"
#include "cli/verbs/analyze_verb.h"
#include "cli/verbs/bench_verb.h"
#include "cli/verbs/compare_verb.h"
#include "cli/verbs/completion_verb.h"
#include "cli/verbs/diff_verb.h"
#include "cli/verbs/doctor_verb.h"
#include "cli/verbs/explain_verb.h"
#include "cli/verbs/export_verb.h"
#include "cli/verbs/import_verb.h"
#include "cli/verbs/machine_verb.h"
#include "cli/verbs/operators_verb.h"
#include "cli/verbs/profile_verb.h"
#include "cli/verbs/roofline_verb.h"
#include "cli/verbs/runs_verb.h"
#include "cli/verbs/trace_verb.h"
#include "cli/verbs/zoo_verb.h"

namespace ridge::cli {

std::span<const Verb> verbs() {
  static constexpr std::array kVerbs = {
      Verb{"analyze",
           "Counts the work in a model: MACs, other arithmetic, bytes, parameters, memory.",
           kAnalyzeExamples, setup_analyze},
      Verb{"profile", "Measures where the time goes, and which nodes each fused layer stands for.",
           kProfileExamples, setup_profile},
      Verb{"roofline", "Draws many models, or many points of one, on this machine's roofs.",
           kRooflineExamples, setup_roofline},
      Verb{"accel", "Estimates a network on an accelerator that is only described.", kAccelExamples,
           setup_accel},
      Verb{"bench", "Measures many models, runtimes and points into a run database.",
           kBenchExamples, setup_bench},
      Verb{"runs", "Lists, shows, adds, deletes and merges the runs of a run database.",
           kRunsExamples, setup_runs},
      Verb{"trace", "Asks a run by name: layers, kernels, idle time, what differs.", kTraceExamples,
           setup_trace},
      Verb{"import", "Reads what another profiler recorded, and joins it to the model's nodes.",
           kImportExamples, setup_import},
      Verb{"explain", "Says what is known of one node, or what is counted for an operator.",
           kExplainExamples, setup_explain},
      Verb{"diff", "Says what work changed from one model to another, node by node.", kDiffExamples,
           setup_diff},
      Verb{"export", "Writes a run in the formats of other programs: traces, flame graphs, tables.",
           kExportExamples, setup_export},
      Verb{"compare",
           "Says which of two or more runs is faster where, over the nodes of the model.",
           kCompareExamples, setup_compare},
      Verb{"operators", "Lists the operators with what is counted for each.", kOperatorsExamples,
           setup_operators},
      Verb{"zoo", "Lists the built-in networks and writes them as ONNX files.", kZooExamples,
           setup_zoo},
      Verb{"machine", "Says what this host is and how fast it can be: measured roofs.",
           kMachineExamples, setup_machine},
      Verb{"doctor", "Says whether this host is fit to measure, and what to do about it.",
           kDoctorExamples, setup_doctor},
      Verb{"completion", "Prints a script that makes a shell complete verbs and options.",
           kCompletionExamples, setup_completion},
  };
  return kVerbs;
}

}  // namespace ridge::cli
