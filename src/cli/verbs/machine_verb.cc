// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/machine_verb.h"

#include <fmt/format.h>

#include <memory>

#include "base/checked.h"
#include "base/clock.h"
#include "base/percent.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/cache_folder.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "export/table.h"
#include "machine/describe.h"
#include "machine/measured_roofs.h"

namespace ridge::cli {
namespace {

using exports::Align;
using exports::Table;
using machine::Host;
using machine::MeasuredRoof;
using machine::MeasuredRoofs;

std::string known(const std::optional<std::string>& value) { return value.value_or("unknown"); }
std::string known(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "unknown";
}

std::string binary_size(std::int64_t bytes) {
  if (bytes >= std::int64_t{1} << 30)
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
  if (bytes >= std::int64_t{1} << 20) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} KiB", bytes >> 10);
}

std::string caches_text(const Host& host) {
  std::string out;
  for (const machine::HostCache& c : host.caches) {
    if (c.type == "instruction") continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("L{} {}", c.level, binary_size(c.bytes));
    if (c.shared_by > 1) out += fmt::format(" for {} processors", c.shared_by);
  }
  return out.empty() ? "unknown" : out;
}

std::string host_text(const Host& host) {
  std::string isa;
  for (const std::string& name : kernels::names(host.features))
    isa += (isa.empty() ? "" : " ") + name;
  std::string out;
  const auto line = [&out](std::string_view key, std::string_view value) {
    out += fmt::format("{:<14}{}\n", key, printable(value));
  };
  line("processor", fmt::format("{} ({})", host.cpu.brand,
                                host.microarchitecture.value_or(fmt::format(
                                    "family {} model {}", host.cpu.family, host.cpu.model))));
  line("cores",
       fmt::format("{} on {} socket(s), {} logical, {} NUMA node(s); {} available to ridge",
                   known(host.cores), known(host.sockets), known(host.logical_cpus),
                   known(host.numa_nodes), host.allowed.size()));
  line("caches", caches_text(host));
  line("instructions", isa);
  line("clock", fmt::format("governor {}, turbo {}", known(host.governor),
                            !host.turbo   ? "unknown"
                            : *host.turbo ? "on"
                                          : "off"));
  line("memory", host.memory_bytes ? binary_size(*host.memory_bytes) : "unknown");
  line("system", fmt::format("{}, Linux {}{}", known(host.os), known(host.kernel),
                             host.virtualized() ? ", virtual (" + host.cpu.hypervisor + ")" : ""));
  return out;
}

/// Relative difference of the median burst from the best one, which is the roof.
std::string spread(const MeasuredRoof& roof) { return "-" + percent(1 - roof.median / roof.value); }

Table roof_table(const MeasuredRoofs& roofs) {
  Table t({{"roof"},
           {"level"},
           {"threads", Align::kRight},
           {"measured", Align::kRight},
           {"95 % interval", Align::kRight},
           {"median burst", Align::kRight},
           {"bursts", Align::kRight},
           {"theory", Align::kRight},
           {"share", Align::kRight},
           {"clock", Align::kRight},
           {"instruction"}});
  for (const MeasuredRoof& roof : roofs.rows) {
    const auto giga = [](double v) { return fmt::format("{:.1f}", v * 1e-9); };
    const std::optional<double> share = machine::share_of_theory(roof);
    const char* unit = roof.unit == "FLOP/s" ? "GFLOP/s" : "GB/s";
    t.add({roof.kind == "compute" ? roof.kind + " " + roof.dtype : roof.kind, roof.level,
           std::to_string(roof.threads), fmt::format("{} {}", giga(roof.value), unit),
           fmt::format("{}..{}", giga(roof.ci.lo), giga(roof.ci.hi)), spread(roof),
           std::to_string(roof.bursts), roof.theory ? giga(*roof.theory) : "",
           share ? percent(*share) : "",
           roof.clock_hz ? fmt::format("{:.2f} GHz", *roof.clock_hz * 1e-9) : "",
           roof.instruction});
  }
  return t;
}

/// Reasons for missing theoretical roofs, each once with the roofs it applies to.
std::vector<std::string> theory_notes(const MeasuredRoofs& roofs) {
  std::vector<std::pair<std::string, std::string>> reasons;  // reason, roofs
  for (const MeasuredRoof& roof : roofs.rows) {
    if (roof.theory_reason.empty()) continue;
    const std::string what = roof.level.empty() ? "compute " + roof.dtype : roof.level;
    auto at = std::find_if(reasons.begin(), reasons.end(),
                           [&](const auto& r) { return r.first == roof.theory_reason; });
    if (at == reasons.end()) at = reasons.insert(at, {roof.theory_reason, what});
    if (at->second.find(what) == std::string::npos) at->second += ", " + what;
  }
  std::vector<std::string> out;
  for (const auto& [reason, which] : reasons)
    out.push_back(fmt::format("no theoretical roof for {}: {}", which, reason));
  return out;
}

/// Says where the outermost cache keeps clearly less than the system states.
std::string reach_note(const Host& host, const MeasuredRoofs& roofs) {
  for (const MeasuredRoof& roof : roofs.rows) {
    const machine::HostCache* stated =
        roof.reach > 0 ? host.cache(roof.level.back() - '0') : nullptr;
    if (stated == nullptr) continue;
    const std::int64_t all =
        stated->bytes *
        std::min<std::int64_t>(
            roof.threads, ceil_div(host.logical_cpus.value_or(1), std::max(stated->shared_by, 1)));
    if (roof.reach < all / 4 * 3)
      return fmt::format("{} keeps {} of what {} read again and again, measured; bounds use that\n",
                         roof.level, binary_size(roof.reach), counted(roof.threads, "thread"));
  }
  return "";
}

std::vector<std::string> warnings(const MeasuredRoofs& roofs) {
  std::vector<std::string> out;
  for (const MeasuredRoof& roof : roofs.rows) {
    const std::string text = machine::warning(roof);
    if (text.empty()) continue;
    out.push_back(fmt::format("{} {}{}, {} thread(s): {}", roof.kind, roof.dtype,
                              roof.level.empty() ? "" : " " + roof.level, roof.threads, text));
  }
  return out;
}

constexpr Document<const Host&, const MeasuredRoofs&> kMachineDocument = {
    .table = [](auto& host, auto& roofs, Sink& sink) { sink.write(machine_text(host, roofs)); },
    .described =
        [](auto& host, auto& roofs, auto& out) {
          const auto checks = machine::assess(machine::observe(host, machine::live_files()), {});
          out.write(machine::document(host, checks, roofs));
        },
    .csv = [](auto&, auto& roofs, Sink& sink) { sink.write(roof_table(roofs).csv()); },
    .md = [](auto&, auto& roofs, Sink& sink) { sink.write(roof_table(roofs).markdown()); }};

Result<int> measure_and_print(const MachineOptions& options, Console& console) {
  const Host host = machine::this_host();
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  Progress progress(console.err, steady_clock(), console.columns);
  machine::RoofsOptions wanted;
  wanted.threads = options.threads;
  wanted.cache_folder = options.cache;
  wanted.refresh = options.refresh;
  wanted.progress = console.err_is_terminal ? &progress : nullptr;
  wanted.stop = Interruption::requested;
  const MeasuredRoofs roofs = TRY(machine::load_or_measure(host, machine::live_files(), wanted));
  progress.hide();
  for (const std::string& text : warnings(roofs)) warn(console, "this machine", text);
  for (const std::string& note : roofs.notes) warn(console, "this machine", note);
  kMachineDocument.write(options.format, host, roofs, output.sink());
  TRY(output.close());
  return roofs.complete ? kDone : kInterrupted;
}

}  // namespace

std::string machine_text(const Host& host, const MeasuredRoofs& roofs) {
  std::string out = host_text(host) + "\n" + roof_table(roofs).text() + "\n";
  out += reach_note(host, roofs);
  for (const std::string& note : theory_notes(roofs)) out += note + "\n";
  if (roofs.from_cache) out += "roofs from the cache; --refresh measures them again\n";
  return out;
}

int run_machine(const MachineOptions& options, Console& console) {
  const Result<int> status = measure_and_print(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_machine(Flags& flags) {
  auto options = std::make_shared<MachineOptions>();
  options->cache = cache_folder();
  flags.add("--refresh", options->refresh, "measure again instead of reading the cache");
  flags.add("--threads", options->threads, "thread counts (1 and all processors): 1,2,4")
      .separator(',')
      .positive();
  add_document_options(flags, options->format, options->output, kMachineDocument.formats());
  return [options](Console& console) { return run_machine(*options, console); };
}

}  // namespace ridge::cli
