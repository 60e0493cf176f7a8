// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/verb.h"
#include "cli/verbs/accel/verb.h"
#include "cli/verbs/advise/verb.h"
#include "cli/verbs/analyze/verb.h"
#include "cli/verbs/bench_verb.h"
#include "cli/verbs/bricks/verb.h"
#include "cli/verbs/bundle/verb.h"
#include "cli/verbs/compare_verb.h"
#include "cli/verbs/completion_verb.h"
#include "cli/verbs/diff_verb.h"
#include "cli/verbs/doctor_verb.h"
#include "cli/verbs/eval/compare_verb.h"
#include "cli/verbs/eval/verb.h"
#include "cli/verbs/explain_verb.h"
#include "cli/verbs/export_verb.h"
#include "cli/verbs/generate/verb.h"
#include "cli/verbs/import_verb.h"
#include "cli/verbs/machine_verb.h"
#include "cli/verbs/manifest_verb.h"
#include "cli/verbs/operators_verb.h"
#include "cli/verbs/profile_verb.h"
#include "cli/verbs/registry_verb.h"
#include "cli/verbs/report_verb.h"
#include "cli/verbs/roofline_verb.h"
#include "cli/verbs/runs_verb.h"
#include "cli/verbs/serve_verb.h"
#include "cli/verbs/share/daemon_verbs.h"
#include "cli/verbs/share/verb.h"
#include "cli/verbs/submit/verb.h"
#include "cli/verbs/trace_verb.h"
#include "cli/verbs/zoo_verb.h"

namespace ridge::cli {

namespace {

constexpr std::array kVerbs = {
    Verb{"analyze",
         "Counts the work in a model: MACs, other arithmetic, bytes, parameters, memory.",
         kAnalyzeExamples, setup_analyze},
    Verb{"profile", "Measures the time of every layer and maps it to the nodes of the model.",
         kProfileExamples, setup_profile},
    Verb{"roofline", "Plots several models, or several points of one, under this machine's roofs.",
         kRooflineExamples, setup_roofline},
    Verb{"accel", "Estimates the cost of a network on an accelerator from its description.",
         kAccelExamples, setup_accel},
    Verb{"bench", "Measures many models, runtimes and points, and stores the runs in a database.",
         kBenchExamples, setup_bench},
    Verb{"bricks", "Estimates many models from the pieces that they share, each measured once.",
         kBricksExamples, setup_bricks},
    Verb{"advise", "Reports how fast a model could be and what is in the way; measures repairs.",
         kAdviseExamples, setup_advise},
    Verb{"eval", "Evaluates a model under load: latency percentiles, throughput, their bounds.",
         kEvalExamples, setup_eval},
    Verb{"eval compare", "Compares evaluations: changed answers, accuracy, times.",
         kEvalCompareExamples, setup_eval_compare},
    Verb{"generate", "Generates tokens with a decoder: time to the first and per token, by cache.",
         kGenerateExamples, setup_generate},
    Verb{"manifest", "Checks, converts and shows manifests of models, data sets and runtimes.",
         kManifestExamples, setup_manifest},
    Verb{"registry", "Keeps models, data sets and labels by name and version, with their hashes.",
         kRegistryExamples, setup_registry},
    Verb{"runs", "Lists, shows, adds, deletes, merges and exports the runs of a run database.",
         kRunsExamples, setup_runs},
    Verb{"report", "Reports what a run database has measured, such as models by machines.",
         kReportExamples, setup_report},
    Verb{"submit", "Measures the points of requests on many machines, into one run database.",
         kSubmitExamples, setup_submit},
    Verb{"agent", "Measures points that ridge submit hands out; ssh starts it.", kAgentExamples,
         setup_agent},
    Verb{"serve", "Shows a run database as pages and as an API, on this machine.", kServeExamples,
         setup_serve},
    Verb{"bundle seal", "Writes a result with all it takes to repeat it into one file.",
         kBundleSealExamples, setup_bundle_seal},
    Verb{"bundle verify", "Checks every byte of bundles, and their signatures.",
         kBundleVerifyExamples, setup_bundle_verify},
    Verb{"bundle show", "Shows what a bundle holds.", kBundleShowExamples, setup_bundle_show},
    Verb{"bundle replay", "Measures the run of a bundle again and judges the difference.",
         kBundleReplayExamples, setup_bundle_replay},
    Verb{"bundle diff", "Compares the results of two bundles.", kBundleDiffExamples,
         setup_bundle_diff},
    Verb{"share serve", "Keeps models in memory for all programs of this user.",
         kShareServeExamples, setup_share_serve},
    Verb{"share list", "Shows what the daemon of ridge share has.", kShareListExamples,
         setup_share_list},
    Verb{"share pin", "Loads models into the daemon, which keeps them.", kSharePinExamples,
         setup_share_pin},
    Verb{"share unpin", "Lets pinned models leave when memory is short.", kShareUnpinExamples,
         setup_share_unpin},
    Verb{"share evict", "Frees models that nobody leases.", kShareEvictExamples, setup_share_evict},
    Verb{"share flush", "Frees all models that nobody leases or pinned.", kShareFlushExamples,
         setup_share_flush},
    Verb{"share stop", "Ends the daemon of ridge share.", kShareStopExamples, setup_share_stop},
    Verb{"share replay",
         "Plays traces of requests against policies: hits, cold starts, memory, bounds.",
         kShareReplayExamples, setup_share_replay},
    Verb{"trace", "Runs named queries over runs: layers, kernels, idle time, differences.",
         kTraceExamples, setup_trace},
    Verb{"import", "Imports the recording of another profiler and maps it to the model's nodes.",
         kImportExamples, setup_import},
    Verb{"explain", "Explains one node, one layer, or how the work of an operator is counted.",
         kExplainExamples, setup_explain},
    Verb{"diff", "Compares the work of two models, node by node.", kDiffExamples, setup_diff},
    Verb{"export", "Writes a run in the formats of other programs: traces, flame graphs, tables.",
         kExportExamples, setup_export},
    Verb{"compare", "Compares the times of two or more runs over the nodes of the model.",
         kCompareExamples, setup_compare},
    Verb{"operators", "Lists the operators and how the work of each is counted.",
         kOperatorsExamples, setup_operators},
    Verb{"zoo", "Lists the built-in networks and writes them as ONNX files.", kZooExamples,
         setup_zoo},
    Verb{"machine", "Describes this host and measures its roofs: peak compute and bandwidths.",
         kMachineExamples, setup_machine},
    Verb{"doctor", "Checks whether this host is fit for measuring, with advice where it is not.",
         kDoctorExamples, setup_doctor},
    Verb{"completion",
         "Prints a completion script for a shell: verbs, options, networks of the zoo.",
         kCompletionExamples, setup_completion},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace ridge::cli
