// SPDX-License-Identifier: Apache-2.0
// The lock of an evaluation, from what a request resolved to and back (manifest/lock.h).
//
//   const ReadContent content{.data = data.sha256(), .labels = data.labels_sha256()};
//   manifest::Lock lock = TRY(lock_of(request, {document}, content, environment));
//   lock.runtimes = {TRY(locked_runtime("ort", info))};
//   EvaluationRequest again = TRY(request_of(lock));
//   TRY(check_lock(before, lock, DifferentContent::kRefuse, environment));
//
// SHA-256 of the model: of its file; with external data, of a line with the hash of each file, the
// model's first, the others in the order of their names (`sha256sum M D | cut -c1-64 | sha256sum`);
// of a network of the zoo, of its structure. Those of the other models of a mix are among the
// files. Of data and labels: evaluation/data/data_files.h. What was read to be parsed is not read
// again: its hash is handed in.
//
// Errors: those of the files; input class, RIDGE-WB-0162: different content; those of
// read_settings. Cost: that of base/hash/sha256.h. Thread rule: pure, except for the files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash/hashed_text.h"
#include "base/result.h"
#include "evaluation/record/request.h"
#include "manifest/lock.h"
#include "onnx/document.h"
#include "runtime/types.h"
#include "session/environment.h"

namespace ridge::evaluation {

/// SHA-256 of what an evaluation has read.
struct ReadContent {
  std::string data;    ///< "" if it is read later: Lock::data is completed then
  std::string labels;  ///< "": none
  FileHashes files;    ///< texts that were parsed; the request's other files are read for the lock
};

/// Without runtimes. `documents`: of the request's model, and of each other one of its mix.
Result<manifest::Lock> lock_of(const EvaluationRequest& request,
                               const std::vector<const onnx::Document*>& documents,
                               const ReadContent& content, const session::Environment& environment);

/// `name`: of KnownRuntime.
Result<manifest::Lock::Runtime> locked_runtime(const std::string& name,
                                               const runtime::RuntimeInfo& info);

/// The evaluation that a lock states. Reads the file of a replay. A lock may be somebody else's, so
/// it decides neither which library is loaded (a path in it, options that may name one) nor where
/// LoadGen's logs are written; both are empty in the request. Errors: those of read_settings, of
/// the steps and of that file.
Result<EvaluationRequest> request_of(const manifest::Lock& lock);

/// Content of a file of a lock, for whoever takes files along: libraries, folders of logs and
/// values that are written out in the lock have none to take.
enum class LockedContent : std::uint8_t { kModel, kFile, kNone };
Result<LockedContent> locked_content(const manifest::Lock::File& file);

/// Usage error (RIDGE-WB-0391) if the lock's evaluation had a library or logs of its own, and the
/// request, after the command line was added, has none.
Result<void> check_given(const manifest::Lock& lock, const EvaluationRequest& request);

enum class DifferentContent : std::uint8_t { kRefuse, kAllow };

/// Reports each difference as a status line. Error: one of content, or of settings.
Result<void> check_lock(const manifest::Lock& locked, const manifest::Lock& now,
                        DifferentContent different, const session::Environment& environment);

/// Hash of everything that an evaluation depends on. Evaluations of equal keys are repetitions of
/// one, whatever its files are called; `machine` is machine::Host::identity().
std::string point_key(const manifest::Lock& lock, const std::string& machine);
/// Key of the point in its request, the same on every machine (session/point_choice.h). `lock`: of
/// the request, with the hash of its data; its runtimes do not matter.
std::string request_key(manifest::Lock lock, const std::string& runtime);

}  // namespace ridge::evaluation
