// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/settings.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <cerrno>
#include <new>
#include <span>
#include <string_view>
#include <system_error>

namespace ridge::openvino {
namespace {

constexpr std::string_view kOwn = "ridge.";

/// Extracts the message: "Exception from src/a.cc:12:\nCheck 'x' failed at src/b.cc:7:\nwhat is
/// wrong\n" -> "what is wrong".
std::string own_words(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool place = line.starts_with("Exception from ") || line.starts_with("Check '");
    if (place || line.find_first_not_of(" \t") == std::string_view::npos) continue;
    out += out.empty() ? "" : "; ";
    out += line;
  }
  return out;
}

Error describe(Phase phase, const std::string& words) {
  switch (phase) {
    case Phase::kOptions:
      return usage_error("RIDGE-OV-0017", "OpenVINO rejects the option: " + words)
          .hint("its manual lists the properties of the CPU device and their values");
    case Phase::kLoad:
      return input_error("RIDGE-OV-0020", "OpenVINO rejects the model: " + words);
    case Phase::kInputs:
      return input_error("RIDGE-OV-0022", "OpenVINO rejects the inputs: " + words);
    case Phase::kRun:
      return input_error("RIDGE-OV-0023", "OpenVINO failed to run the model: " + words);
    case Phase::kSetUp:
      break;
  }
  return environment_error("RIDGE-OV-0010", "OpenVINO refused to be set up: " + words)
      .hint("check --runtime-option and --threads");
}

}  // namespace

Error caught(Phase phase) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return environment_error(kOutOfMemory, "OpenVINO ran out of memory")
        .hint("choose a smaller batch or sequence, or a machine with more memory");
  } catch (const ov::Cancelled&) {
    return environment_error(kCanceled, "the run was canceled");
  } catch (const std::exception& e) {
    return describe(phase, own_words(e.what()));
  } catch (...) {
    return runtime::caught_error(kOutcomes, "OpenVINO");
  }
}

Result<Settings> read_settings(const RidgeOpenOptions& options) {
  if (options.optimization != RIDGE_OPTIMIZE_ALL)
    return usage_error("RIDGE-OV-0011", "OpenVINO has no optimization levels")
        .hint("leave out --optimization");
  Settings s;
  s.threads = options.threads;
  s.cpus.assign(options.cpus, options.cpus + options.cpu_count);
  s.properties = {
      ov::num_streams(1), ov::inference_num_threads(static_cast<std::int32_t>(options.threads)),
      ov::hint::inference_precision(ov::element::f32),
      ov::hint::performance_mode(ov::hint::PerformanceMode::LATENCY),
      // Otherwise OpenVINO would reduce two threads on the two halves of one core to one.
      ov::hint::enable_hyper_threading(true), ov::hint::enable_cpu_pinning(!s.cpus.empty())};
  if (options.deterministic != 0)
    s.properties[ov::hint::execution_mode.name()] = ov::hint::ExecutionMode::ACCURACY;
  for (const RidgeEntry& entry : std::span(options.entries, options.entry_count)) {
    const std::string key = entry.key != nullptr ? entry.key : "";
    if (key.starts_with(kOwn))
      return usage_error("RIDGE-OV-0015", fmt::format("unknown option '{}'", key))
          .hint(
              "ridge has no options of its own for OpenVINO; OpenVINO's options are named as in "
              "its manual");
    if (key == ov::enable_profiling.name())
      return usage_error("RIDGE-OV-0016", fmt::format("'{}' cannot be chosen", key))
          .hint("latency is measured with profiling off and layers with it on");
    s.own[key] = s.properties[key] = std::string(entry.value != nullptr ? entry.value : "");
  }
  return s;
}

Result<void> check_options(ov::Core& core, const Settings& settings) {
  if (settings.own.empty()) return {};
  // Loads the device first: before that, OpenVINO only stores options without checking them.
  TRY(guarded(Phase::kSetUp, [&]() -> Result<void> {
    core.get_versions("CPU");
    return {};
  }));
  for (const auto& option : settings.own)
    TRY_IN(fmt::format("option '{}'", option.first),
           guarded(Phase::kOptions, [&]() -> Result<void> {
             core.set_property("CPU", ov::AnyMap{option});
             return {};
           }));
  return {};
}

Result<void> check_quiet(const Settings& settings) {
  const auto refusal = [](const std::string& cause) {
    return usage_error("RIDGE-OV-0032", "a process of OpenVINO with " + cause +
                                            " cannot be copied: the copy would lack its threads")
        .hint("--threads 1, or load the model in each process");
  };
  if (settings.threads > 1) return refusal(fmt::format("{} threads", settings.threads));
  for (const char* key :
       {ov::inference_num_threads.name(), ov::num_streams.name(), ov::hint::num_requests.name()})
    if (settings.own.contains(key)) return refusal(key);
  return {};
}

std::string library_path() {
  Dl_info info{};
  const auto symbol = reinterpret_cast<const void*>(&ov::get_openvino_version);
  return ::dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

Result<void> pin(const Settings& settings) {
  if (settings.cpus.empty()) return {};
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::uint32_t cpu : settings.cpus)
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  if (::sched_setaffinity(0, sizeof(set), &set) == 0) return {};
  return environment_error("RIDGE-OV-0013", fmt::format("cannot pin threads to processors {}: {}",
                                                        fmt::join(settings.cpus, ","),
                                                        std::generic_category().message(errno)))
      .hint("choose processors that this process may use (taskset -pc $$ shows them)");
}

}  // namespace ridge::openvino
