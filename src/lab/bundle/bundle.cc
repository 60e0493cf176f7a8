// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/hash/sha256.h"
#include "base/relative_path.h"
#include "base/sink.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "evaluation/data/data_files.h"
#include "evaluation/record/document.h"
#include "evaluation/repeat/hashes.h"
#include "evaluation/repeat/lock.h"
#include "graph/model.h"
#include "lab/bundle/describe.h"
#include "lab/bundle/file_set.h"
#include "profile/json.h"
#include "profile/summary.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "session/model_source.h"
#include "session/run_key.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndex = "index.json", kDatabase = "run.db", kLock = "lock.toml",
                           kResult = "result.json";
constexpr std::int64_t kLargestIndex = std::int64_t{64} << 20,
                       kLargestLock = std::int64_t{64} << 20;

Error not_what_was_measured(const std::string& path, std::string why) {
  return input_error("RIDGE-LAB-0010", "this is not the file that was measured")
      .evidence(std::move(why))
      .hint("seal with the file as it was; --by-reference keeps the hash of what is here now")
      .in_file(path);
}

/// Writes the database with the one result that `append` puts into it.
template <typename Append>
Result<void> add_database(ArchiveWriter& out, Append append) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const std::string path = fmt::format("{}/{}", folder.path(), kDatabase);
  {
    store::Store alone = TRY(store::Store::open(path, store::Access::kCreate));
    TRY(append(alone));
  }
  return out.add_file(kDatabase, TRY(File::open(path)));
}

Result<void> finish(ArchiveWriter& out, BundleIndex index, FileSet& files,
                    const SealOptions& options) {
  TRY(files.write(out, options));
  index.files = files.files();
  TRY(out.add(kIndex, record::json_text(record::kType<BundleIndex>, &index) + "\n"));
  return out.commit();
}

/// Adds the model of a run, which must have the structure that was measured.
Result<void> add_measured(const profile::Subject& subject, FileSet& files) {
  const session::OpenedModel model = TRY(session::open_model(subject.path, session::kForCounting));
  const std::string here = graph::structure_hash(*model.model);
  if (here == subject.graph_hash) return files.add_model(subject.path, model.model->document());
  return not_what_was_measured(
      subject.path,
      fmt::format("its structure has the hash {}, of the run it was {}", here, subject.graph_hash));
}

/// Adds what a lock has the content of, once it is known to be the same.
class LockedFiles {
 public:
  LockedFiles(FileSet& files, const HashWatch& watch) : files_(files), watch_(watch) {}

  Result<void> add(const manifest::Lock& lock) {
    TRY(add_model(lock.model.name, lock.model.sha256));
    TRY(add_data(lock));
    for (const manifest::Lock::File& file : lock.files) TRY(add_file(file));
    return {};
  }

 private:
  Result<void> add_model(const std::string& name, const std::string& locked) {
    const session::OpenedModel model = TRY(session::open_model(name, session::kForCounting));
    TRY(check(name, locked, TRY(evaluation::model_sha256(model.model->document(), watch_))));
    return files_.add_model(name, model.model->document());
  }

  Result<void> add_data(const manifest::Lock& lock) {
    if (!lock.data.name.empty()) {
      const auto found = TRY(evaluation::find_files(TRY(evaluation::request_of(lock)).data));
      TRY(check(lock.data.name, lock.data.sha256, TRY(evaluation::data_sha256(found, watch_))));
      TRY(files_.add("data", lock.data.name));
    }
    if (!lock.labels.name.empty()) {
      const auto labels = TRY(evaluation::read_labels_file(lock.labels.name, 0, watch_));
      TRY(check(lock.labels.name, lock.labels.sha256, labels.sha256));
      TRY(files_.add("labels", lock.labels.name));
    }
    return {};
  }

  Result<void> add_file(const manifest::Lock::File& file) {
    using evaluation::LockedContent;
    const LockedContent content = TRY(evaluation::locked_content(file));
    if (content == LockedContent::kNone) return {};
    if (content == LockedContent::kModel) return add_model(file.name, file.sha256);
    TRY(check(file.name, file.sha256, TRY(sha256_of_file(file.name, watch_))));
    return files_.add(file.use, file.name);
  }

  static Result<void> check(const std::string& path, const std::string& locked,
                            const std::string& here) {
    if (here == locked) return {};
    return not_what_was_measured(
        path, fmt::format("its SHA-256 is {}, in the lock it was {}", here, locked));
  }

  FileSet& files_;
  const HashWatch& watch_;
};

}  // namespace

Result<void> seal_run(const store::Store& store, store::RunId id, const std::string& to,
                      const SealOptions& options) {
  const profile::Profile run = TRY(store.read(id));
  const store::Stamp stamp = TRY(store.stamp(id));
  const session::MeasureSpec spec = TRY(session::spec_of_run(run, stamp.point));
  FileSet files;
  TRY(add_measured(run.subject, files));
  for (const auto& [input, path] : spec.inputs)
    if (file_exists(path)) TRY(files.add(fmt::format("{}{}", kInputRole, input), path));
  ArchiveWriter out = TRY(ArchiveWriter::create(to));
  TRY(add_database(out, [&](store::Store& alone) { return alone.append(run, stamp); }));
  StringSink document;
  profile::write_json(run, document);
  TRY(out.add(kResult, document.text()));
  const BundleIndex index{.result = "run",
                          .model = run.subject.path,
                          .runtime = run.subject.runtime,
                          .runtime_version = run.subject.runtime_version,
                          .ridge = run.subject.ridge_version,
                          .machine = profile::machine_name(run.host_json),
                          .recorded_s = stamp.recorded_s,
                          .files = {},
                          .libraries = {{run.subject.runtime, run.subject.runtime_version, ""}}};
  return finish(out, index, files, options);
}

Result<void> seal_evaluation(const store::Store& store, store::EvaluationId id,
                             const std::string& to, const SealOptions& options) {
  const profile::EvaluationRecord kept = TRY(store.evaluation(id));
  const evaluation::Evaluation evaluated = TRY(evaluation::read_evaluation(kept.document));
  if (evaluated.points.size() != 1)
    return input_error("RIDGE-LAB-0019", "an evaluation of the store is of several points")
        .in_file(store.path());
  const manifest::Lock& lock = evaluated.points.front().lock;
  FileSet files;
  TRY(LockedFiles(files, options.watch).add(lock));
  ArchiveWriter out = TRY(ArchiveWriter::create(to));
  TRY(add_database(out, [&](store::Store& alone) { return alone.append(kept); }));
  TRY(out.add(kResult, kept.document));
  TRY(out.add(kLock, manifest::to_toml(lock)));
  BundleIndex index{.result = "evaluation",
                    .model = kept.model,
                    .runtime = kept.runtime,
                    .runtime_version = kept.runtime_version,
                    .ridge = kept.ridge_version,
                    .machine = kept.host,
                    .recorded_s = kept.recorded_s,
                    .files = {},
                    .libraries = {}};
  for (const manifest::Lock::Runtime& runtime : lock.runtimes)
    index.libraries.push_back({runtime.name, runtime.version, runtime.sha256});
  return finish(out, index, files, options);
}

// Bundle

Result<Bundle> Bundle::open(const std::string& path) {
  Archive archive = TRY(Archive::open(path));
  const std::string text = TRY(archive.read(kIndex, kLargestIndex));
  auto index = record::read_json<BundleIndex>(
      text, {.of = record::Reading::Of::kProgram, .limits = {.bytes = kLargestIndex}});
  if (!index.ok()) return std::move(index).error().in(kIndex).in_file(path);
  Bundle out(std::move(archive), std::move(*index));
  for (const BundledFile& file : out.index_.files) {
    const Archive::Entry* entry = out.archive_.find(file.entry);
    const bool there = file.entry.empty() || (entry != nullptr && entry->size == file.bytes);
    if (!is_below(file.place) || !there)
      return input_error("RIDGE-LAB-0011", "index and entries of the bundle disagree")
          .evidence(
              fmt::format("{}: {}", file.role, printable(shorten(valid_utf8(file.place), 80))))
          .in_file(path);
  }
  return out;
}

Result<void> Bundle::check() const {
  TRY(archive_.check());
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const store::Store store = TRY(unpack_store(folder.path()));
  if (index_.result == "run") {
    TRY(store.read(TRY(store.last()).value_or(0)));
  } else {
    const auto evaluations = TRY(store.evaluations());
    TRY(store.evaluation(evaluations.empty() ? 0 : evaluations.front().id));
    TRY(lock());
  }
  return {};
}

Result<store::Store> Bundle::unpack_store(const std::string& folder) const {
  const std::string path = fmt::format("{}/{}", folder, kDatabase);
  TRY(archive_.extract(kDatabase, path));
  return store::Store::open(path, store::Access::kRead);
}

Result<std::string> Bundle::unpack(const BundledFile& file, const std::string& folder) const {
  if (file.entry.empty()) {
    const Result<std::string> here = sha256_of_file(file.name);
    if (here.ok() && *here == file.sha256) return file.name;
    return input_error("RIDGE-LAB-0013", "the bundle has a file by reference, which is not here")
        .evidence(fmt::format("{} {}, SHA-256 {}", file.role, printable(file.name), file.sha256))
        .hint("put the file with this hash there")
        .in_file(path());
  }
  const std::string to = folder + "/" + file.place;
  std::error_code failed;
  fs::create_directories(fs::path(to).parent_path(), failed);
  TRY(archive_.extract(file.entry, to));
  return to;
}

Result<Unpacked> Bundle::unpack_files(const std::string& folder) const {
  Unpacked out;
  for (const BundledFile& file : index_.files) out.paths_[file.name] = TRY(unpack(file, folder));
  return out;
}

std::string Unpacked::at(const std::string& name) const {
  if (const auto file = paths_.find(name); file != paths_.end()) return file->second;
  const std::string folder = name + "/";  // its files are unpacked side by side
  const auto inside = paths_.lower_bound(folder);
  if (name.empty() || inside == paths_.end() || !inside->first.starts_with(folder)) return name;
  return fs::path(inside->second).parent_path().string();
}

Result<manifest::Lock> Bundle::lock() const {
  return manifest::read_lock(TRY(archive_.read(kLock, kLargestLock)));
}

Result<evaluation::Evaluation> Bundle::evaluation() const {
  return evaluation::read_evaluation(TRY(archive_.read(kResult, evaluation::kLargestEvaluation)));
}

}  // namespace ridge::lab
