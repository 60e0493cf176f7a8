#include "machine/host.h"

namespace ridge::machine {
namespace {

void write_cpu(JsonWriter& json, const Host& host) {
  json.key("cpu").begin_object();
  json.key("model").value(host.cpu.brand).key("vendor").value(host.cpu.vendor);
  json.key("family").value(host.cpu.family).key("model_number").value(host.cpu.model);
  json.key("stepping").value(host.cpu.stepping);
  json.key("microarchitecture").value(host.microarchitecture);
  json.key("microcode").value(host.microcode);
  json.end_object();
}

void write_caches(JsonWriter& json, const Host& host) {
  json.key("caches").begin_array();
  for (const HostCache& c : host.caches) {
    json.begin_object().key("level").value(c.level).key("type").value(c.type);
    json.key("bytes").value(c.bytes).key("line").value(c.line);
    json.key("shared_by").value(c.shared_by).end_object();
  }
  json.end_array();
}

}  // namespace

void write_host(JsonWriter& json, const Host& host) {
  json.begin_object().key("hostname").value(host.hostname);
  write_cpu(json, host);
  json.key("sockets").value(host.sockets);
  json.key("cores").value(host.cores);
  json.key("logical_cpus").value(host.logical_cpus);
  json.key("allowed_cpus").begin_array();
  for (const Cpu& c : host.allowed) json.value(c.id);
  json.end_array();
  json.key("numa_nodes").value(host.numa_nodes);
  json.key("smt").value(host.smt);
  write_caches(json, host);
  json.key("isa").begin_array();
  for (const std::string& name : kernels::names(host.features)) json.value(name);
  json.end_array();
  json.key("governor").value(host.governor);
  json.key("turbo").value(host.turbo);
  json.key("virtualised").value(host.virtualized()).key("hypervisor");
  host.virtualized() ? json.value(host.cpu.hypervisor) : json.null();
  json.key("memory_bytes").value(host.memory_bytes);
  json.key("kernel").value(host.kernel);
  json.key("os").value(host.os);
  json.key("cgroup_cpus").value(host.cgroup_cpus);
  json.key("cgroup_memory_bytes").value(host.cgroup_memory_bytes);
  json.key("reasons").begin_object();
  for (const auto& [key, reason] : host.reasons) json.name(key).value(reason);
  json.end_object().end_object();
}

std::string host_json(const Host& host) {
  StringSink sink;
  {
    JsonWriter json(sink);
    write_host(json, host);
  }
  return sink.text();
}

}  // namespace ridge::machine
