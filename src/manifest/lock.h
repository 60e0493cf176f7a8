// SPDX-License-Identifier: Apache-2.0
// The lock of an evaluation: what its names resolved to, so that it can be repeated, or so that the
// differences to today are known.
//
//   std::string text = to_toml(lock);                   // kept with the run
//   Lock before = TRY(read_lock(text));
//   for (const Difference& d : differences(before, now))
//     text_of(d);                                       // "option threads: 2 then, 4 now"
//
// Hashes are SHA-256 in hexadecimal digits; the pipeline's hash is over its steps as text. Errors:
// input class. Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

inline constexpr std::string_view kLockFormat = "ridge.lock/1";

struct Lock {
  struct Item {
    std::string name;        ///< a path, or zoo:NAME
    std::string sha256;      ///< hash of the content
    std::string entry = {};  ///< "digits@1.0.0" of a manifest or registry; "": not found by one

    bool operator==(const Item&) const = default;
  };
  struct Runtime {
    std::string name, version;
    std::string sha256;  ///< hash of its library; "" for one that is part of ridge
  };
  /// A file that an option names.
  struct File {
    std::string use;  ///< "input x", "arrivals"
    std::string name, sha256;
  };
  /// Steps as text (pipeline/step_text.h).
  struct Steps {
    std::vector<std::vector<std::string>> before;  ///< lists, one for each input
    std::vector<std::string> after;
  };

  std::string ridge;  ///< its version
  Item model, data, labels;
  std::vector<Runtime> runtimes;
  std::vector<File> files;
  Steps pipeline;
  std::vector<Setting> options;  ///< options of the runtime and the scenario
  std::vector<Setting> seeds;
  std::vector<Setting> host;  ///< processor, cores, memory, kernel, ...

  bool operator==(const Lock& other) const;
};

/// Hash of the steps of a pipeline.
std::string pipeline_sha256(const Lock::Steps& pipeline);

std::string to_toml(const Lock& lock);
Result<Lock> read_lock(std::string_view text);

/// Fact that is not the same; "" where one side does not state it.
struct Difference {
  enum class Of : std::uint8_t {
    kName,     ///< where something lies or what it is called
    kContent,  ///< model, data, labels, files, steps, runtimes
    kSetting,  ///< options and seeds
    kHost,     ///< the machine, and the version of ridge
  };
  Of of = Of::kName;
  std::string what;  ///< "model", "SHA-256 of the model", "option threads", "step 2 of input 0"
  std::string locked, now;

  bool operator==(const Difference&) const = default;
};

/// Beginning of the `what` of a difference between the libraries of a runtime.
inline constexpr std::string_view kLibraryHash = "SHA-256 of the library of ";

/// In the order of the members of Lock.
std::vector<Difference> differences(const Lock& locked, const Lock& now);

/// "option threads: 2 then, 4 now"
std::string text_of(const Difference& difference);

}  // namespace ridge::manifest
