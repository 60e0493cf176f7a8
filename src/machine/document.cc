#include "machine/document.h"

#include "base/version.h"
#include "machine/ceilings_json.h"

namespace ridge::machine {

void write_machine(Sink& sink, const Host& host, const std::vector<Check>& checks,
                   const Ceilings* ceilings) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.machine/1");
  json.line().key("ridge_version").value(version());
  json.line().key("host");
  write_host(json, host);
  json.line().key("fitness");
  write_fitness(json, checks);
  json.line().key("ceilings");
  write_ceilings(json, ceilings != nullptr ? ceilings->rows : std::vector<Ceiling>{});
  json.line().key("notes").begin_array();
  if (ceilings != nullptr) {
    for (const std::string& note : ceilings->notes) json.value(note);
  }
  json.end_array().end_object();
  json.flush();
  sink.write("\n");
}

}  // namespace ridge::machine
