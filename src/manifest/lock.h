// The lock of an evaluation: what its names resolved to, so that it can be repeated, or so that the
// differences to today are known.
//
//   std::string text = to_toml(lock);                   // kept with the run
//   Lock before = TRY(read_lock(text));
//   for (const Difference& d : differences(before, now))
//     fmt::format("{}: {} then, {} now", d.what, d.locked, d.now);
//
// Hashes are SHA-256 in hexadecimal digits; that of the pipeline is over its steps as text. Errors:
// input class. Plain data, no thread rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "manifest/pipeline.h"

namespace ridge::manifest {

struct Lock {
  struct Item {
    std::string name;    ///< "digits@1.0.0"
    std::string sha256;  ///< hash of the content

    bool operator==(const Item&) const = default;
  };

  Item model, data, labels;
  Item runtime;  ///< name and version, and the hash of its library
  Pipeline pipeline;
  std::vector<Setting> options;  ///< options of the runtime and the scenario
  std::vector<Setting> seeds;
  std::vector<Setting> host;  ///< processor, cores, memory, kernel, ...

  bool operator==(const Lock& other) const;
};

/// Hash of the steps of a pipeline.
std::string pipeline_sha256(const Pipeline& pipeline);

std::string to_toml(const Lock& lock);
Result<Lock> read_lock(std::string_view text);
void write_json(const Lock& lock, JsonWriter& json);

/// A fact that is not the same; "" where one side does not state it.
struct Difference {
  std::string what;  ///< "model", "SHA-256 of the model", "option threads", "step 2 of input 0"
  std::string locked, now;

  bool operator==(const Difference&) const = default;
};

/// In the order of the members of Lock.
std::vector<Difference> differences(const Lock& locked, const Lock& now);

}  // namespace ridge::manifest
