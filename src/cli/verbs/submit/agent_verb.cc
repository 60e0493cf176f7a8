// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>
#include <unistd.h>

#include <cstddef>

#include "base/file.h"
#include "cli/cache_folder.h"
#include "cli/flags/registry_option.h"
#include "cli/interrupt.h"
#include "cli/runtime_source.h"
#include "cli/verbs/submit/verb.h"
#include "lab/agent/agent.h"
#include "machine/describe.h"
#include "machine/fitness.h"
#include "manifest/registry.h"
#include "record/json_write.h"
#include "runtime/paths.h"

namespace ridge::cli {
namespace {

std::string architecture() {
  utsname names = {};
  return ::uname(&names) == 0 ? names.machine : "";
}

/// Models of this user's registry; entries that are damaged are left out.
std::vector<store::AgentModel> registered_models() {
  std::vector<store::AgentModel> out;
  const std::string folder = registry_folder("");
  if (folder.empty()) return out;
  for (const manifest::RegistryEntry& entry : manifest::Registry(folder).list().entries) {
    if (entry.kind != manifest::EntryKind::kModel || out.size() == lab::kMostModels) continue;
    std::int64_t bytes = 0;
    for (const manifest::RegistryFile& file : entry.files) bytes += file.bytes;
    out.push_back({.model = entry.reference(), .sha256 = entry.digest(), .bytes = bytes});
  }
  return out;
}

lab::Facts facts_of_this_machine() {
  const machine::Host host = machine::this_host();
  const machine::Observation seen = machine::observe(host, machine::live_files());
  const std::vector<machine::RuntimeFinding> found = find_runtimes();
  lab::Facts out{.machine = {},
                 .architecture = architecture(),
                 .memory_available = seen.memory_available,
                 .runtimes = {},
                 .devices = {"cpu"},
                 .models = registered_models()};
  StringSink text;
  record::write_json(machine::document(host, machine::assess(seen, found), {}), text);
  out.machine = text.text();
  const auto known = runtime::known_runtimes();  // find_runtimes() has their order
  for (std::size_t i = 0; i < known.size() && i < found.size(); ++i)
    out.runtimes.push_back({std::string(known[i].name), found[i].name, found[i].version});
  if (file_exists("/dev/nvidia0") || file_exists("/dev/kfd")) out.devices.emplace_back("gpu");
  return out;
}

Result<int> run_agent() {
  if (::isatty(STDIN_FILENO) == 1)
    return usage_error("RIDGE-CLI-0250", "ridge agent is started by ridge submit")
        .hint("ridge submit matrix.toml --on lab.toml");
  const std::string cache = cache_folder();
  if (cache.empty())
    return environment_error("RIDGE-CLI-0251", "there is no folder for the agent's files")
        .hint("set HOME or XDG_CACHE_HOME to an absolute path");
  const Interruption interruption;
  TRY(lab::serve_agent({.in = STDIN_FILENO,
                        .out = STDOUT_FILENO,
                        .cache = cache + "/agent",
                        .facts = facts_of_this_machine,
                        .stop = Interruption::flag()}));
  return Interruption::requested() ? kInterrupted : kDone;
}

}  // namespace

Run setup_agent(Flags&) {
  return [](Console& console) {
    const Result<int> status = run_agent();
    return status.ok() ? *status : report(console, status.error());
  };
}

}  // namespace ridge::cli
