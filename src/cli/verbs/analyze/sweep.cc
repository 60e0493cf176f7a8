// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/analyze/sweep.h"

#include <algorithm>
#include <type_traits>

#include "base/text.h"
#include "cli/document.h"
#include "cli/flags/input_flag.h"
#include "export/analysis/describe.h"
#include "export/analysis/json.h"
#include "export/analysis/sweep.h"
#include "measure/known_sizes.h"
#include "record/document_sink.h"
#include "session/model_source.h"

namespace ridge::cli {
namespace {

using analysis::Resolved;

/// Shown with the path of the model. JSON and columns are made while the points are analyzed.
constexpr Document<const exports::AnalysisSweep&, const std::string&> kSweepDocument = {
    .table = [](auto& rows, auto& model,
                Sink& sink) { sink.write(printable(model) + "\n\n" + rows.text()); },
    .csv = [](auto& rows, auto&, Sink& sink) { sink.write(rows.csv()); },
    .md = [](auto& rows, auto& model,
             Sink& sink) { sink.write("# " + printable(model) + "\n\n" + rows.markdown()); }};

class Sweep {
 public:
  Sweep(const AnalyzeOptions& options, const SizeFlags& flags,
        const std::optional<TrafficRequest>& traffic)
      : options_(options), flags_(flags), traffic_(traffic), rows_(flags.sizes) {}

  Result<void> run() {
    const std::vector<analysis::Bindings> points = TRY(sweep_points(flags_));
    const auto inputs = TRY(input_sources(options_.inputs));
    const session::OpenedModel opened =
        TRY(session::open_model(options_.model, session::kForCounting));
    const auto each_point = [&](auto use) -> Result<void> {
      for (const analysis::Bindings& given : points) {
        const analysis::Bindings point = TRY(measure::with_arrays(*opened.model, given, inputs));
        TRY(add(given.sizes, TRY(analysis::resolve(opened.model, point, opened.defaults)), use));
      }
      return {};
    };
    const auto form = document_form(options_.format);
    if (!form) return each_point(nullptr);
    Result<void> all;
    exports::AnalysesView document{.sweep = {.points = static_cast<std::int64_t>(points.size()),
                                             .sizes = flags_.sizes,
                                             .together = flags_.together},
                                   .analyses = {}};
    document.analyses =
        record::Stream<exports::AnalysisView>([&](auto use) { all = each_point(use); });
    record::DocumentSink(document_, *form).write(document);
    return all;
  }

  void print(Console& console, Sink& sink) const {
    for (const std::string& note : notes_) warn(console, options_.model, note);
    if (document_form(options_.format)) return sink.write(document_.text());
    kSweepDocument.write(options_.format, rows_, options_.model, sink);
  }

  bool all_known() const { return all_known_; }

 private:
  /// Hands the analysis to `use`, or keeps its totals where that is nullptr.
  template <typename Use>
  Result<void> add(const analysis::BoundSizes& sizes, const Resolved& resolved, Use use) {
    std::optional<analysis::Traffic> traffic;
    if (traffic_) traffic = TRY(analysis::traffic(resolved, traffic_->model));
    const auto convention = convention_count(options_.convention, resolved);
    const analysis::ConventionCount* count = convention ? &*convention : nullptr;
    if constexpr (std::is_null_pointer_v<Use>) {
      rows_.add(sizes, resolved, traffic ? &*traffic : nullptr, count);
    } else {
      std::optional<exports::TrafficView> view;
      if (traffic) view.emplace(exports::TrafficView{*traffic, traffic_->cache_from});
      use(exports::Analysis(
              resolved,
              {.top = options_.top, .convention = count, .traffic = view ? &*view : nullptr})
              .view());
    }
    for (const std::string& note : resolved.notes())
      if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
    all_known_ = all_known_ && resolved.totals().unknown == 0;
    return {};
  }

  const AnalyzeOptions& options_;
  const SizeFlags& flags_;
  const std::optional<TrafficRequest>& traffic_;
  exports::AnalysisSweep rows_;
  StringSink document_;
  std::vector<std::string> notes_;
  bool all_known_ = true;
};

}  // namespace

std::optional<analysis::ConventionCount> convention_count(const std::string& name,
                                                          const Resolved& resolved) {
  const analysis::Convention* convention = analysis::find_convention(name);
  if (convention == nullptr) return std::nullopt;
  return analysis::count_by(*convention, resolved);
}

Result<int> analyze_sweep(const AnalyzeOptions& options, const SizeFlags& flags,
                          const std::optional<TrafficRequest>& traffic, Console& console) {
  Sweep sweep(options, flags, traffic);
  TRY(sweep.run());
  Output output = TRY(Output::open(options.output, console));
  sweep.print(console, output.sink());
  TRY(output.close());
  return options.strict && !sweep.all_known() ? kCheckFailed : kDone;
}

}  // namespace ridge::cli
