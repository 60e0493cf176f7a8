#include <array>

#include "cli/analyze_verb.h"
#include "cli/doctor_verb.h"
#include "cli/explain_verb.h"
#include "cli/machine_verb.h"
#include "cli/verb.h"

namespace ridge::cli {

std::span<const Verb> verbs() {
  static constexpr std::array kVerbs = {
      Verb{"analyze",
           "Counts the work in a model: MACs, other arithmetic, bytes, parameters, memory.",
           kAnalyzeExamples, setup_analyze},
      Verb{"explain", "Says what is known of one node: shapes, formula, work.", kExplainExamples,
           setup_explain},
      Verb{"machine", "Says what this host is and how fast it can be: measured roofs.",
           kMachineExamples, setup_machine},
      Verb{"doctor", "Says whether this host is fit to measure, and what to do about it.",
           kDoctorExamples, setup_doctor},
  };
  return kVerbs;
}

}  // namespace ridge::cli
