// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/diff_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/sizes/size_names.h"
#include "analysis/traffic/fused_bytes.h"
#include "base/list.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/sizes.h"
#include "compare/diff.h"
#include "compare/limit.h"
#include "export/comparison/diff_json.h"
#include "export/comparison/diff_table.h"
#include "session/model_source.h"

namespace ridge::cli {
namespace {

using analysis::Bindings;
using analysis::Resolved;

bool has_input(const graph::Model& model, std::string_view name) {
  return std::any_of(model.main().inputs.begin(), model.main().inputs.end(),
                     [&](graph::ValueId v) { return model.value(v).name == name; });
}

/// `name`: name of a size, or "input[2]".
bool has_size(const graph::Model& model, std::string_view name) {
  if (name.ends_with(']') && has_input(model, name.substr(0, name.rfind('[')))) return true;
  return analysis::SizeNames(model).contains(name);
}

/// Returns the common bindings without those that only `other` has. Bindings that neither model has
/// are kept, so that resolving rejects them.
Bindings applicable_bindings(const Bindings& common, const graph::Model& model,
                             const graph::Model& other) {
  Bindings out = common;
  std::erase_if(out.sizes, [&](const auto& entry) {
    return !has_size(model, entry.first) && has_size(other, entry.first);
  });
  std::erase_if(out.shapes, [&](const auto& entry) {
    return !has_input(model, entry.first) && has_input(other, entry.first);
  });
  return out;
}

struct Pair {
  Resolved a, b;
};

Result<Pair> resolve_both(const DiffOptions& options) {
  const Bindings common = TRY(single_point(TRY(parse_sizes(options.binds, options.shapes))));
  const Bindings own = TRY(single_point(TRY(parse_sizes(options.binds_b, options.shapes_b))));
  const session::OpenedModel a = TRY(session::open_model(options.a)),
                             b = TRY(session::open_model(options.b));
  Bindings of_b = applicable_bindings(common, *b.model, *a.model);
  for (const auto& [name, size] : own.sizes) of_b.sizes[name] = size;
  for (const auto& [name, shape] : own.shapes) of_b.shapes[name] = shape;
  Resolved first =
      TRY(analysis::resolve(a.model, applicable_bindings(common, *a.model, *b.model), a.defaults));
  Resolved second = TRY(analysis::resolve(b.model, of_b, b.defaults));
  const analysis::Fuse fuse = options.fuse == "runtime"    ? analysis::Fuse::kRuntime
                              : options.fuse == "epilogue" ? analysis::Fuse::kEpilogue
                                                           : analysis::Fuse::kNone;
  return Pair{analysis::with_fused_bytes(std::move(first), fuse),
              analysis::with_fused_bytes(std::move(second), fuse)};
}

Result<std::vector<compare::Limit>> limits(const std::vector<std::string>& texts) {
  std::vector<compare::Limit> out;
  for (const std::string& text : texts)
    for (const std::string_view part : split(text)) out.push_back(TRY(compare::parse_limit(part)));
  return out;
}

exports::DiffRows rows_of(const DiffOptions& options) {
  return options.all ? exports::DiffRows::kAll : exports::DiffRows::kDifferent;
}

constexpr Document<const compare::Diff&, const exports::DiffSides&, const DiffOptions&>
    kDiffDocument = {
        .table =
            [](auto& diff, auto& sides, auto& o, Sink& sink) {
              exports::write_diff_text(diff, sides, {o.top, o.depth}, sink);
            },
        .described = [](auto& diff, auto& sides, auto& o,
                        auto& out) { exports::write_diff_document(diff, sides, rows_of(o), out); },
        .csv = [](auto& diff, auto& sides, auto& o,
                  Sink& sink) { exports::write_diff_csv(diff, sides, rows_of(o), sink); },
        .md =
            [](auto& diff, auto& sides, auto& o, Sink& sink) {
              exports::write_diff_markdown(diff, sides, {o.top, o.depth}, sink);
            }};

Result<int> run_diff(const DiffOptions& options, Console& console) {
  const std::vector<compare::Limit> checks = TRY(limits(options.fail_on));
  const Pair pair = TRY(resolve_both(options));
  Output output = TRY(Output::open(options.output, console));
  for (const std::string& note : pair.a.notes()) warn(console, options.a, note);
  for (const std::string& note : pair.b.notes()) warn(console, options.b, note);
  const compare::Diff found = compare::diff(pair.a, pair.b);
  kDiffDocument.write(options.format, found, {pair.a, pair.b, options.fuse}, options,
                      output.sink());
  TRY(output.close());
  int status = kDone;
  for (const compare::Limit& limit : checks) {
    const auto why = compare::violation(limit, found);
    if (!why) continue;
    console.err.write("check failed: " + printable(*why) + "\n");
    status = kCheckFailed;
  }
  return status;
}

}  // namespace

int diff(const DiffOptions& options, Console& console) {
  const Result<int> status = run_diff(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_diff(Flags& flags) {
  auto options = std::make_shared<DiffOptions>();
  flags.add("A", options->a, "an ONNX file, or zoo:NAME").required();
  flags.add("B", options->b, "the other one").required();
  flags.add("--bind", options->binds, "free sizes by name, of both models: batch=8,sequence=128")
      .single();
  flags
      .add("--shape", options->shapes,
           "shape of an input of both models: input=1x3x224x224; repeatable")
      .single();
  flags.add("--bind-b", options->binds_b, "free sizes of B alone").single();
  flags.add("--shape-b", options->shapes_b, "shape of an input of B alone").single();
  flags.add("--fuse", options->fuse, "which operators are fused: none, epilogue or runtime")
      .one_of({"none", "epilogue", "runtime"});
  add_document_options(flags, options->format, options->output, kDiffDocument.formats());
  flags.add("--top", options->top, "number of nodes in tables, most work first (20); 0: all");
  flags.add("--depth", options->depth, "levels of the module table (as many as fit a screen)");
  flags.add("--all", options->all, "json and csv: include unchanged nodes");
  flags
      .add("--fail-on", options->fail_on,
           "exit with 1 if a total exceeds a limit: 'macs>5%', 'params>0'; repeatable")
      .single();
  return [options](Console& console) { return diff(*options, console); };
}

}  // namespace ridge::cli
