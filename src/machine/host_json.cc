#include "machine/host.h"

namespace ridge::machine {
namespace {

void text(JsonWriter& json, const char* key, const std::optional<std::string>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void count(JsonWriter& json, const char* key, const std::optional<int>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void truth(JsonWriter& json, const char* key, const std::optional<bool>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void write_cpu(JsonWriter& json, const Host& host) {
  json.key("cpu").begin_object();
  json.key("model").value(host.cpu.brand).key("vendor").value(host.cpu.vendor);
  json.key("family").value(host.cpu.family).key("model_number").value(host.cpu.model);
  json.key("stepping").value(host.cpu.stepping);
  text(json, "microarchitecture", host.microarchitecture);
  text(json, "microcode", host.microcode);
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
  count(json, "sockets", host.sockets);
  count(json, "cores", host.cores);
  count(json, "logical_cpus", host.logical_cpus);
  json.key("allowed_cpus").begin_array();
  for (const Cpu& c : host.allowed) json.value(c.id);
  json.end_array();
  count(json, "numa_nodes", host.numa_nodes);
  truth(json, "smt", host.smt);
  write_caches(json, host);
  json.key("isa").begin_array();
  for (const std::string& name : kernels::names(host.features)) json.value(name);
  json.end_array();
  text(json, "governor", host.governor);
  truth(json, "turbo", host.turbo);
  json.key("virtualised").value(host.virtualised()).key("hypervisor");
  host.virtualised() ? json.value(host.cpu.hypervisor) : json.null();
  json.key("memory_bytes").value(host.memory_bytes);
  text(json, "kernel", host.kernel);
  text(json, "os", host.os);
  json.key("cgroup_cpus");
  host.cgroup_cpus ? json.value(*host.cgroup_cpus) : json.null();
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
