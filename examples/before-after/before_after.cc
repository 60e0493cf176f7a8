// SPDX-License-Identifier: Apache-2.0
// Measures two models in the same way, keeps both runs and compares them: the library without the
// command line.
//
//   before_after SPEC.toml RUNS.db BEFORE AFTER
#include <cstdio>

#include "base/file.h"
#include "export/comparison/table.h"
#include "runtime/child/child.h"
#include "session/comparison.h"
#include "session/measure_spec_file.h"
#include "session/run_recorder.h"
#include "session/series.h"

using namespace ridge;

struct ConsoleNotices : session::Notices {
  void warn(std::string_view, std::string_view text) override { status(text); }
  void failed(const Error& error) override { status(error.text()); }
  void status(std::string_view line) override {
    std::fprintf(stderr, "%s\n", std::string(line).c_str());
  }
};

Result<std::string> before_after(const std::string& spec_file, const std::string& store,
                                 const std::vector<std::string>& models) {
  ConsoleNotices notices;
  const session::Environment environment{
      .host = machine::this_host(), .notices = notices, .plugin_folder = RIDGELINE_PLUGIN_FOLDER};
  const auto spec = TRY(session::read_measure_spec_toml(TRY(read_file(spec_file, 65'536))));
  auto recorder = TRY(session::RunRecorder::open(store, environment));
  recorder->assess_host();
  std::vector<compare::Run> runs;
  for (const std::string& model : models) {
    auto measured = TRY(session::measure_series(model, spec, environment));
    for (profile::Profile& p : measured.sweep.profiles) {
      TRY(recorder->keep(p, ""));
      runs.push_back({model, std::move(p)});
    }
  }
  StringSink text;
  exports::write_comparison_text(TRY(compare::compare_runs(std::move(runs), {})), {}, text);
  return text.text();
}

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  if (argc != 5) return std::fputs("before_after SPEC.toml RUNS.db BEFORE AFTER\n", stderr), 2;
  const auto text = before_after(argv[1], argv[2], {argv[3], argv[4]});
  std::fputs((text.ok() ? *text : text.error().text()).c_str(), text.ok() ? stdout : stderr);
  return text.ok() ? 0 : 1;
}
