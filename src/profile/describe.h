// SPDX-License-Identifier: Apache-2.0
// Description (record/describe.h) of a profile: ridge.profile/1, the table of runs of the store,
// and data/schema/ridge.profile.1.json.
//
//   record::write_json(profile, sink);
//   Profile p = TRY(record::read_json<Profile>(text));     // of other documents: profile/read.h
//
// Within a version keys are only added; unknown figures are null.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/sizes/describe.h"
#include "profile/describe_levels.h"
#include "profile/describe_rows.h"
#include "profile/describe_timeline.h"
#include "profile/profile.h"

namespace ridge::profile {

/// Error for a document that is no profile.
Error bad_profile(std::string what);

/// The host's document as it is.
struct HostJson {
  static record::Json out(const std::string& text) { return {text.empty() ? "{}" : text}; }
  static std::string in(record::Json json) { return std::move(json.text); }
};

/// Operator sets by domain; the one without a name is called ai.onnx.
struct Opsets {
  static std::vector<std::pair<std::string, std::int64_t>> out(
      const std::map<std::string, std::int64_t>& opsets);
  static std::map<std::string, std::int64_t> in(
      std::vector<std::pair<std::string, std::int64_t>> written);
};

/// Options of a runtime: "threads" is a number, all others are text (profile/options.h).
using OptionValue = std::variant<std::int64_t, std::string>;
std::map<std::string, OptionValue> options_of(const Subject& subject);
Result<void> take_options(Subject& subject, const std::map<std::string, OptionValue>& options);

std::span<const std::string_view> profile_kinds();
std::span<const std::string_view> weight_sources();
std::span<const std::string_view> steadinesses();
std::span<const std::string_view> kinds_of_layer_times();

// Profiling::unscaled_residual, two keys in documents.
double unscaled_share(const Profiling& profiling);
void set_unscaled_share(Profiling& profiling, double share);
stats::Ends unscaled_ends(const Profiling& profiling);
void set_unscaled_ends(Profiling& profiling, const stats::Ends& shares);

inline bool has_unscaled(const Profiling& p) { return p.unscaled_residual.has_value(); }
inline bool has_layer_times(const Profiling& p) { return !p.layer_times.empty(); }
inline bool has_verification(const Profile& p) { return p.verification.asked(); }
inline bool has_levels(const Profile& p) { return !p.levels.empty(); }
inline bool has_reference(const Profile& p) { return !p.reference.empty(); }
inline bool has_timeline(const Profile& p) { return !p.timeline.empty(); }

/// Checks that rows refer only to rows that exist, and that all layers have as many runs. Errors:
/// RIDGE-PROF-0001, with the first path that does not.
Result<void> check_references(const Profile& profile);

}  // namespace ridge::profile

namespace ridge {

template <>
struct record::Describe<profile::Subject> {
  using T = profile::Subject;
  static constexpr std::array runtime{
      field<&T::runtime>("name", "such as ONNX Runtime", column("runtime")),
      field<&T::runtime_version>("version", "as the library says", column("runtime_version")),
      field<&T::runtime_library>("library", "path that was opened", column("runtime_library")),
      computed<&profile::options_of, &profile::take_options>(
          "options", "threads (a number), optimization, pinning and the user's own (text)",
          no_column())};
  static constexpr std::array model{
      field<&T::path>("path", "as given, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash", "as in ridge.analysis/1"),
      field<&T::ir_version>("ir_version", "of the ONNX file format"),
      field<&T::opsets, profile::Opsets>(
          "opsets",
          "imported operator sets: domain to version; the one without a name is called ai.onnx",
          no_column()),
      field<&T::producer>("producer", "tool and version that wrote the file"),
      field<&T::weights>("weights",
                         "what the elements of the weights were; empty where nobody says so",
                         one_of<&profile::weight_sources>())};
  static constexpr std::array fields{
      field<&T::kind>("kind", "where the times come from", one_of<&profile::profile_kinds>(),
                      on_line()),
      field<&T::ridge_version>("ridge", "version of the program", column("ridge_version")),
      group<T, runtime>("runtime", "what executed the model", column(""), on_line()),
      group<T, model>("model", "the original file", column(""), on_line()),
      field<&T::bindings>("bindings", "every free size in force, by name", no_column(), on_line())};
};

template <>
struct record::Describe<profile::Process> {
  using T = profile::Process;
  static constexpr std::array fields{
      field<&T::samples_ns>("samples_ns", "the runs that count, in order of time", no_column()),
      field<&T::warmup_dropped>("warmup_dropped", "leading runs left out"),
      field<&T::steadiness>("steadiness", "what the series looked like",
                            one_of<&profile::steadinesses>())};
};

template <>
struct record::Describe<profile::Latency> {
  using T = profile::Latency;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::processes>("processes", "one entry per process that measured", no_column()),
      field<&T::ns, &E::value>("median_ns", "of all samples", column("latency_ns")),
      field<stats::AsEnds, &T::ns, &E::interval>(
          "ci95_ns",
          "95 % interval that knows that neighboring runs are alike and "
          "processes differ (docs/measuring.md); nulls for fewer than six runs",
          column("latency_ns")),
      field<&T::rejected>("rejected",
                          "pairs of runs left out because other processes used the processors")};
};

template <>
struct record::Describe<profile::Profiling> {
  using T = profile::Profiling;
  static constexpr std::array fields{
      field<&T::excess_ns>("excess_ns", "of a profiled run over the plain run beside it"),
      field<&T::event_cost_ns>(
          "event_cost_ns", "that one event adds to a run, measured on chains of trivial kernels"),
      field<&T::event_share_ns>("event_share_ns",
                                "the part of it that lies inside the event's own duration"),
      field<&T::event_cost>("event_cost", "event_cost_ns with its interval", omit_default(),
                            column("event_ns")),
      field<&T::fixed_cost>(
          "fixed_cost",
          "that profiling adds to a run beside its events, measured on the same chains",
          omit_default(), column("fixed_ns")),
      field<&T::predicted_profiled_ns>(
          "predicted_profiled_ns",
          "latency + events * event cost + fixed cost; beside profiled_latency it says whether an "
          "event costs in this model what it costs in the chains",
          omit_default(), column("predicted_ns")),
      field<&T::total_ns>("total_ns",
                          "a run less what profiling added, layers and gaps together, run by run",
                          omit_default()),
      field<&T::factor>("factor",
                        "that layers are scaled by, so that they and the gaps come to a run "
                        "without the profiler: median over runs; far from 1 it is named in notes",
                        omit_default()),
      field<&T::predicted_ratio>(
          "predicted_ratio",
          "(plain run + events * event cost + fixed cost) / profiled run beside it, median over "
          "runs; wholly beyond 0.02 from 1 it is named in notes",
          omit_default()),
      computed<&profile::unscaled_share, &profile::set_unscaled_share>(
          "unscaled_residual_share",
          "(reported times less the calibrated part of each event + the chains' time outside "
          "events) / plain run - 1, median over runs: nothing is scaled, so time that events do "
          "not report shows here",
          only_when<&profile::has_unscaled>(), column("unscaled_residual")),
      computed<&profile::unscaled_ends, &profile::set_unscaled_ends>(
          "unscaled_residual_ci95",
          "of unscaled_residual_share; wholly beyond 0.05 it is named in notes",
          only_when<&profile::has_unscaled>(), column("unscaled_residual")),
      field<&T::layer_times>("layer_times",
                             "what corrected_ns of the layers is: reported where the correction is "
                             "not usable, which notes say",
                             only_when<&profile::has_layer_times>(),
                             one_of<&profile::kinds_of_layer_times>()),
      field<&T::resolution_ns>("resolution_ns", "durations below it cannot be told apart"),
      field<&T::cheapest_kernel_ns>(
          "cheapest_kernel_ns",
          "of the runtime's cheapest kernel, unprofiled: the floor called overhead"),
      field<&T::raw_sum_ns>(
          "raw_sum_ns",
          "of the layers' times as reported; null where no run counts, as every other time then"),
      field<&T::corrected_sum_ns>("corrected_sum_ns",
                                  "of the layers' times less the profiler's part"),
      field<&T::gaps_ns>("gaps_ns", "of a run between layers: scheduling, inputs and outputs"),
      field<&T::disturbance_ns>(
          "disturbance_ns",
          "by how much whole runs (total_ns) exceed the medians of their layers and gaps: other "
          "processes hit a few layers of each run; 0 on a quiet machine"),
      field<&T::outside_layers_ns>("outside_layers_ns", "gaps + disturbance"),
      field<&T::residual_share>("residual_share",
                                "(corrected_sum + outside_layers) / latency - 1: small by "
                                "construction; unscaled_residual_share is the check")};
};

template <>
struct record::Describe<profile::Profile> {
  using T = profile::Profile;
  using P = profile::Profiling;
  using V = profile::Verification;
  static constexpr std::string_view schema = "ridge.profile/1";
  static constexpr std::string_view text =
      "One model in one runtime on one machine, keyed by the nodes of the model: `ridge profile "
      "MODEL --format json`. Times are nanoseconds.";
  static constexpr std::array setup{
      field<&T::load_ns>("load_ns", "the runtime's load call: parsing, optimizing, packing weights",
                         zero_is_null()),
      field<&T::first_run_ns>("first_run_ns", "the very first run", zero_is_null())};
  static constexpr std::array throughput{
      field<&T::items_per_s>("items_per_s", "batch / latency"),
      field<&T::batch>("batch", "first dimension of the first input")};
  static constexpr std::array profiled{
      field<&T::profiling, &P::profiled_latency_ns, &stats::Estimate::value>(
          "median_ns", "of the profiled runs of the same pairs", column("profiled_ns")),
      field<stats::AsEnds, &T::profiling, &P::profiled_latency_ns, &stats::Estimate::interval>(
          "ci95_ns", "95 % interval of that median", column("profiled_ns"))};
  static constexpr std::array unattributed{
      field<&T::unattributed_layers>("layers", "how many"),
      field<&T::unattributed_share>("time_share", "of corrected_sum_ns", column("share"))};
  static constexpr std::array fields{
      field<&T::host_json, profile::HostJson>("host", "as in ridge.machine/1", on_line()),
      inlined<&T::subject>(),
      group<T, setup>("setup", "before the first measured run, medians over processes", column(""),
                      on_line()),
      field<&T::latency>("latency", "of one run, profiling off", column(""), on_line()),
      group<T, throughput>("throughput", "at that latency, one run after the other", column(""),
                           on_line()),
      group<T, profiled>("profiled_latency", "of one run, profiling on", column(""), on_line()),
      field<&T::profiling>("profiling", "the profiler's own cost and what it leaves unexplained",
                           column(""), on_line()),
      field<&T::layers>("layers",
                        "what the runtime executed, each the smallest group of kernels whose nodes "
                        "are certain",
                        no_column(), on_line(), item_lines()),
      field<&T::nodes>("nodes", "every node of the model", no_column(), on_line(), item_lines()),
      field<&T::without_layer>("nodes_without_layer", "every node that is a member of no layer",
                               no_column(), on_line(), item_lines()),
      group<T, unattributed>("unattributed", "layers that stand for no node and were not inserted",
                             on_line()),
      field<&T::roofs>("ceilings",
                       "the roofs that the layers were held against, at the threads of the run",
                       no_column(), on_line(), item_lines()),
      field<&T::modules>("modules",
                         "layers summed up under their module and each one above it; the root "
                         "(path empty) first",
                         no_column(), on_line(), item_lines()),
      field<&T::verification, &V::cuts>(
          "verification",
          "layer times held against the model cut where one tensor crosses (--verify); absent "
          "where nobody asked. In order of execution",
          only_when<&profile::has_verification>(), no_column(), on_line(), item_lines()),
      field<&T::verification, &V::reason>(
          "verification_reason",
          "why there are no cuts; empty where there are. Absent where nobody asked",
          only_when<&profile::has_verification>()),
      field<&T::levels>("levels",
                        "levels below the layers, recorded in runs of their own (--level); absent "
                        "where none was",
                        only_when<&profile::has_levels>(), column(""), on_line()),
      field<&T::reference>(
          "reference",
          "kernels of ridge's own that do the same work every time, run before, between and after "
          "the processes: where their times differ the machine drifted; absent where they were not "
          "run",
          only_when<&profile::has_reference>(), no_column(), on_line()),
      field<&T::timeline, profile::TimelineCodec>(
          "timeline", "spans of recorded runs on one clock; absent where none was kept",
          only_when<&profile::has_timeline>(), no_column(), on_line()),
      field<&T::notes>("notes", "what a reader must know: a noisy host, an interruption, fallbacks",
                       no_column(), on_line())};

  static Result<void> check(const T& profile) { return profile::check_references(profile); }
};

}  // namespace ridge
