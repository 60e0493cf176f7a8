// SPDX-License-Identifier: Apache-2.0
#include "evaluation/repeat/lock.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash/sha256.h"
#include "base/json_writer.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/version.h"
#include "evaluation/repeat/hashes.h"
#include "evaluation/repeat/settings.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"
#include "runtime/inputs/literal.h"
#include "runtime/paths.h"
#include "scenario/trace_file.h"
#include "session/point_choice.h"

namespace ridge::evaluation {
namespace {

using manifest::Difference;
using manifest::Lock;

constexpr std::string_view kMlperfConf = "mlperf.conf", kUserConf = "user.conf";
constexpr std::string_view kLogs = "mlperf logs";
constexpr std::string_view kInput = "input ", kTrace = "arrivals",
                           kLibraryEntry = "runtime library", kPlugin = "plug-in ";
constexpr std::string_view kClassNames = "class names", kTokenizer = "tokenizer";
constexpr std::string_view kMixed = "model ";  // and its place in the mix
/// The runtime that computes nothing, which is no KnownRuntime.
constexpr std::string_view kNullRuntime = "null";
constexpr std::int64_t kMaxTraceBytes = std::int64_t{256} << 20;

/// The hash of a file: that of the bytes that were parsed, where it was read already.
Result<std::string> known_sha256(const FileHashes& known, const std::string& path,
                                 const HashWatch& watch) {
  if (const auto at = known.find(path); at != known.end()) return at->second;
  return sha256_of_file(path, watch);
}

Result<void> add_files(const EvaluationRequest& request, const FileHashes& known,
                       const HashWatch& watch, Lock& out) {
  const auto add = [&](std::string use, const std::string& path) -> Result<void> {
    std::string hash = TRY(known_sha256(known, path, watch));
    out.files.push_back({std::move(use), path, std::move(hash)});
    return {};
  };
  for (const auto& [input, source] : request.spec.inputs) {
    std::string hash = TRY(input_sha256(source, watch));
    out.files.push_back({std::string(kInput) + input, source, std::move(hash)});
  }
  if (!request.trace.empty()) TRY(add(std::string(kTrace), request.trace));
  if (!request.mlperf.mlperf_conf.empty())
    TRY(add(std::string(kMlperfConf), request.mlperf.mlperf_conf));
  if (!request.mlperf.user_conf.empty()) TRY(add(std::string(kUserConf), request.mlperf.user_conf));
  if (request.mlperf.asked()) out.files.push_back({std::string(kLogs), request.mlperf.logs, ""});
  // Its content is that of the runtime, whichever way it was found.
  if (!request.spec.runtime_library.empty())
    out.files.push_back({std::string(kLibraryEntry), request.spec.runtime_library, ""});
  for (const auto& [name, path] : request.spec.plugins)
    TRY(add(fmt::format("{}{}", kPlugin, name), path));
  return {};
}

/// A step that names classes from a file stands there without its path, which is among the files.
Result<void> add_output_steps(const std::vector<pipeline::OutputStep>& steps,
                              const FileHashes& known, Lock& out) {
  for (pipeline::OutputStep step : steps) {
    if (auto* labels = std::get_if<pipeline::Labels>(&step); labels && !labels->path.empty()) {
      std::string hash = TRY(known_sha256(known, labels->path, {}));
      out.files.push_back({std::string(kClassNames), labels->path, std::move(hash)});
      labels->path = kClassNames;
    }
    out.pipeline.after.push_back(pipeline::print_output_step(step));
  }
  return {};
}

/// Their inverse.
Result<void> read_output_steps(const Lock& lock, EvaluationRequest& out) {
  auto file = lock.files.begin();
  for (const std::string& text : lock.pipeline.after) {
    for (pipeline::OutputStep& step : TRY(pipeline::parse_output_steps(text))) {
      if (auto* labels = std::get_if<pipeline::Labels>(&step);
          labels && labels->path == kClassNames) {
        file = std::find_if(file, lock.files.end(),
                            [](const Lock::File& f) { return f.use == kClassNames; });
        if (file != lock.files.end()) labels->path = (file++)->name;
      }
      out.data.post.push_back(std::move(step));
    }
  }
  return {};
}

/// A step that reads a tokenizer stands there without its path, as those above.
Result<void> add_input_steps(const std::vector<pipeline::Step>& steps, const FileHashes& known,
                             Lock& out) {
  if (steps.empty()) return {};
  std::vector<std::string>& texts = out.pipeline.before.emplace_back();
  for (pipeline::Step step : steps) {
    if (auto* tokens = std::get_if<pipeline::Tokens>(&step)) {
      std::string hash = TRY(known_sha256(known, tokens->file, {}));
      out.files.push_back({std::string(kTokenizer), tokens->file, std::move(hash)});
      tokens->file = kTokenizer;
    }
    texts.push_back(pipeline::print_step(step));
  }
  return {};
}

/// Their inverse.
Result<void> read_input_steps(const Lock& lock, EvaluationRequest& out) {
  const auto file = std::ranges::find(lock.files, kTokenizer, &Lock::File::use);
  for (const auto& texts : lock.pipeline.before)
    for (const std::string& text : texts)
      for (pipeline::Step& step : TRY(pipeline::parse_steps(text))) {
        if (auto* tokens = std::get_if<pipeline::Tokens>(&step);
            tokens && tokens->file == kTokenizer && file != lock.files.end())
          tokens->file = file->name;
        out.data.steps.push_back(std::move(step));
      }
  return {};
}

void add_host(const machine::Host& host, Lock& out) {
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty()) out.host.push_back({name, std::move(value), {}});
  };
  const auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  add("name", host.hostname);
  add("processor", host.cpu.brand);
  add("cores", number(host.cores));
  add("processors", fmt::format("{}", host.allowed.size()));
  add("memory_bytes", number(host.memory_bytes));
  add("kernel", host.kernel.value_or(""));
  add("os", host.os.value_or(""));
  add("governor", host.governor.value_or(""));
}

Result<void> read_file_of(const Lock::File& file, EvaluationRequest& out) {
  if (file.use == kLibraryEntry || file.use == kLogs || file.use == kClassNames ||
      file.use == kTokenizer || file.use.starts_with(kPlugin)) {
    // Code and folders of logs are for the command line; the readers of steps read the others.
  } else if (file.use == kTrace) {
    out.trace = file.name;
  } else if (file.use == kMlperfConf) {
    out.mlperf.mlperf_conf = file.name;
  } else if (file.use == kUserConf) {
    out.mlperf.user_conf = file.name;
  } else if (file.use.starts_with(kMixed)) {
    out.mix.push_back(file.name);
  } else if (file.use.starts_with(kInput)) {
    out.spec.inputs[file.use.substr(kInput.size())] = file.name;
  } else {
    return input_error("RIDGE-WB-0163", fmt::format("a file is of no known use: '{}'", file.use));
  }
  return {};
}

/// A runtime whose plug-in was named by its path.
bool is_plugin(const Lock& lock, const Lock::Runtime& of) {
  return std::ranges::any_of(lock.files, [&](const Lock::File& f) {
    return f.use == fmt::format("{}{}", kPlugin, of.name);
  });
}

Result<void> read_trace(EvaluationRequest& out) {
  auto* replay = std::get_if<scenario::Replay>(&out.scenario.arrivals);
  if (replay == nullptr || out.trace.empty()) return {};
  Result<scenario::Trace> trace =
      scenario::read_trace(TRY(read_text_file(out.trace, kMaxTraceBytes)));
  if (!trace.ok()) return std::move(trace).error().in_file(out.trace);
  replay->times_ns = std::move(trace->times_ns);
  return {};
}

}  // namespace

Result<Lock> lock_of(const EvaluationRequest& request,
                     const std::vector<const onnx::Document*>& documents,
                     const ReadContent& content, const session::Environment& environment) {
  if (documents.size() != request.mix.size() + 1)
    return bug("not the documents of all models", "lock_of");
  Lock out;
  out.ridge = version();
  const HashWatch watch = hash_watch(environment);
  const EvaluationEntries& entries = request.entries;
  std::string sha256 = TRY(model_sha256(*documents[0], watch));
  out.model = {request.model, std::move(sha256), entries.model};
  for (std::size_t i = 0; i < request.mix.size(); ++i) {
    sha256 = TRY(model_sha256(*documents[i + 1], watch));
    out.files.push_back({fmt::format("{}{}", kMixed, i + 2), request.mix[i], sha256});
  }
  if (!request.data.source.empty()) out.data = {request.data.source, content.data, entries.data};
  if (!request.data.labels.empty())
    out.labels = {request.data.labels, content.labels, entries.labels};
  TRY(add_files(request, content.files, watch, out));
  TRY(add_input_steps(request.data.steps, content.files, out));
  TRY(add_output_steps(request.data.post, content.files, out));
  write_settings(request, out);
  add_host(environment.host, out);
  return out;
}

Result<Lock::Runtime> locked_runtime(const std::string& name, const runtime::RuntimeInfo& info) {
  const bool is_ours = name == kNullRuntime;  // each build of ridge has another
  if (info.library.empty() || is_ours) return Lock::Runtime{name, info.version, ""};
  std::string hash = TRY_IN("library of " + info.name, sha256_of_file(info.library));
  return Lock::Runtime{name, info.version, std::move(hash)};
}

Result<EvaluationRequest> request_of(const Lock& lock) {
  EvaluationRequest out;
  out.model = lock.model.name;
  out.data.source = lock.data.name;
  out.data.labels = lock.labels.name;
  out.entries = {lock.model.entry, lock.data.entry, lock.labels.entry};
  out.spec.runtimes.clear();
  for (const Lock::Runtime& r : lock.runtimes) {
    if (runtime::known_runtime(r.name) == nullptr && r.name != kNullRuntime && !is_plugin(lock, r))
      return input_error("RIDGE-WB-0164", fmt::format("there is no runtime '{}'", r.name));
    out.spec.runtimes.push_back(r.name);
  }
  if (out.model.empty() || out.spec.runtimes.empty())
    return input_error("RIDGE-WB-0165", "the lock names no model, or no runtime")
        .hint("locks are written by ridge eval --lock FILE");
  for (const Lock::File& file : lock.files) TRY(read_file_of(file, out));
  TRY(read_input_steps(lock, out));
  TRY(read_output_steps(lock, out));
  TRY(read_settings(lock, out));
  if (out.mix.size() != out.scenario.mix.size())
    return input_error("RIDGE-WB-0208", fmt::format("the mix has {} and {}",
                                                    counted(std::ssize(out.mix) + 1, "model"),
                                                    counted(std::ssize(out.scenario.mix), "share")))
        .hint("it has a share for each model but the first");
  TRY(read_trace(out));
  return out;
}

Result<LockedContent> locked_content(const Lock::File& file) {
  const std::string& use = file.use;
  if (use == kLogs || use == kLibraryEntry || use.starts_with(kPlugin)) return LockedContent::kNone;
  if (use.starts_with(kMixed)) return LockedContent::kModel;
  const bool is_value = use.starts_with(kInput) && TRY(runtime::parse_literal(file.name));
  return is_value ? LockedContent::kNone : LockedContent::kFile;
}

Result<void> check_given(const Lock& lock, const EvaluationRequest& request) {
  const auto missing = [](const Lock::File& file, std::string_view what, std::string_view flag) {
    return usage_error(
               "RIDGE-WB-0391",
               fmt::format("the evaluation of the lock had {}, which a lock does not decide", what))
        .evidence(fmt::format("then: {}", printable(file.name)))
        .hint(fmt::format("state it on the command line: {}", flag));
  };
  for (const Lock::File& file : lock.files) {
    if (file.use == kLibraryEntry && request.spec.runtime_library.empty())
      return missing(file, "a library of its own",
                     "--runtime-library PATH; its content is compared with the lock's");
    if (file.use == kLogs && !request.mlperf.asked())
      return missing(file, "LoadGen's logs written", "--mlperf-logs DIR");
    if (file.use.starts_with(kPlugin) &&
        !request.spec.plugins.contains(file.use.substr(kPlugin.size())))
      return missing(file, fmt::format("the {}", printable(file.use)),
                     "--runtime PATH; its content is compared with the lock's");
  }
  return {};
}

Result<void> check_lock(const Lock& locked, const Lock& now, DifferentContent different,
                        const session::Environment& environment) {
  std::int64_t refused = 0;
  bool library = false;
  for (const Difference& d : manifest::differences(locked, now)) {
    environment.notices.status(printable(manifest::text_of(d)));
    refused += d.of == Difference::Of::kContent || d.of == Difference::Of::kSetting ? 1 : 0;
    library |= d.what.starts_with(manifest::kLibraryHash);
  }
  if (refused == 0 || different == DifferentContent::kAllow) return {};
  return input_error("RIDGE-WB-0162",
                     fmt::format("this is another evaluation than that of the lock: {}",
                                 counted(refused, "difference")))
      .hint(fmt::format("{}--allow-differences evaluates what is there now",
                        library ? "--runtime-library PATH names the lock's library; " : ""));
}

std::string point_key(const Lock& lock, const std::string& machine) {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    hash.add(fmt::format("{}:{}\n", text.size(), text));
  };
  for (const std::string_view text :
       {std::string_view(lock.ridge), std::string_view(lock.model.sha256),
        std::string_view(lock.data.sha256), std::string_view(lock.labels.sha256),
        std::string_view(machine)})
    add(text);
  for (const Lock::Runtime& r : lock.runtimes)
    for (const std::string* text : {&r.name, &r.version, &r.sha256}) add(*text);
  for (const Lock::File& f : lock.files)
    if (!f.sha256.empty()) add(f.use), add(f.sha256);
  add(manifest::pipeline_sha256(lock.pipeline));
  for (const auto* settings : {&lock.options, &lock.seeds})
    for (const manifest::Setting& s : *settings) add(s.name), add(s.value);
  return hash.hex();
}

std::string request_key(Lock lock, const std::string& runtime) {
  lock.ridge.clear();
  lock.runtimes = {{runtime, "", ""}};
  return session::point_key(point_key(lock, ""));
}

}  // namespace ridge::evaluation
