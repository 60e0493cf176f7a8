// SPDX-License-Identifier: Apache-2.0
#include "lab/slurm/job_folder.h"

#include <dirent.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/hash/digest.h"
#include "base/lines.h"
#include "base/list.h"
#include "base/number.h"
#include "base/trim.h"
#include "base/words.h"
#include "lab/slurm/job_script.h"

namespace ridge {

template <>
struct Words<lab::slurm::Revoked> {
  using V = lab::slurm::Revoked;
  static constexpr std::array list{Word{V::kNo, "no"}, Word{V::kLost, "lost"},
                                   Word{V::kFailed, "failed"}, Word{V::kStopped, "stopped"}};
};

}  // namespace ridge

namespace ridge::lab::slurm {
namespace {

constexpr Nanos kLockLimit{5'000'000'000};
constexpr std::int64_t kSmall = 1 << 20;
constexpr std::size_t kLastWords = 1000;

/// Content of a small file, without blanks at its ends; "" where there is none, or where it is
/// being written.
std::string content(const std::string& path) {
  if (!file_exists(path)) return {};
  const Result<std::string> text = read_file(path, kSmall);
  return text.ok() ? std::string(trimmed(*text)) : std::string();
}

/// The end of a file that may be large; "" where there is none.
std::string end_of(const std::string& path) {
  if (!file_exists(path)) return {};
  const Result<File> file = File::open(path);
  if (!file.ok()) return {};
  const std::int64_t from =
      std::max<std::int64_t>(0, file->size() - static_cast<std::int64_t>(kLastWords));
  std::string out(static_cast<std::size_t>(file->size() - from), '\0');
  if (!file->read_at(from, std::as_writable_bytes(std::span(out))).ok()) return {};
  return std::string(trimmed(out));
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), &::closedir);
  if (dir == nullptr) return cannot_read_jobs(folder, std::generic_category().message(errno));
  std::vector<std::string> out;
  while (const dirent* entry = ::readdir(dir.get())) out.emplace_back(entry->d_name);
  return out;
}

/// Tells a folder from an earlier one of the same name, whose jobs may still be in the queue.
Result<std::string> id_of(const std::string& folder) {
  const std::string path = folder + "/id";
  if (std::string id = content(path); !id.empty()) return id;
  Digest digest;
  digest.add(folder);
  digest.add_int(std::chrono::system_clock::now().time_since_epoch().count());
  std::string id = digest.hex().substr(0, 8);
  TRY(write_file(path, id));
  return id;
}

}  // namespace

Error cannot_read_jobs(const std::string& path, const std::string& why) {
  return environment_error("RIDGE-LAB-0311", "what jobs of Slurm left cannot be read")
      .evidence(why)
      .in_file(path);
}

int PointFolder::lost() const {
  const auto names = names_in(path_);
  if (!names.ok()) return 0;
  int out = 0;
  for (const std::string& name : *names)
    if (name.ends_with(".revoked"))
      out += content(path_ + "/" + name) == word(Revoked::kLost) ? 1 : 0;
  return out;
}

Marks PointFolder::marks(const std::string& submission) const {
  const std::string at = path_ + "/" + submission;
  Marks out{content(at + "/started"), content(at + "/alive"), {}};
  out.status = whole_number<int>(content(at + "/status"));
  return out;
}

Revoked PointFolder::revoked(const std::string& submission) const {
  return find_word<Revoked>(content(path_ + "/" + submission + ".revoked")).value_or(Revoked::kNo);
}

Result<void> PointFolder::revoke(const std::string& submission, Revoked why) const {
  return write_file(path_ + "/" + submission + ".revoked", word(why));
}

std::string PointFolder::database(const std::string& submission) const {
  return path_ + "/" + submission + "/runs.db";
}

std::string PointFolder::words(const std::string& submission) const {
  return end_of(path_ + "/" + submission + "/log");
}

std::string PointFolder::accepted() const { return content(path_ + "/accepted"); }

Result<void> PointFolder::accept(const std::string& submission) const {
  return write_file(path_ + "/accepted", submission);
}

namespace {

/// A store is named by a digest: the URI of a server is nobody else's business.
std::string store_digest(std::string_view store) {
  Digest digest;
  digest.add(store);
  return digest.hex();
}

}  // namespace

bool PointFolder::is_merged(std::string_view store) const {
  const std::string merged = content(path_ + "/merged"), wanted = store_digest(store);
  for (const std::string_view line : split(merged, "\n"))
    if (line == wanted) return true;
  return false;
}

Result<void> PointFolder::set_merged(std::string_view store) const {
  if (is_merged(store)) return {};
  const std::string before = content(path_ + "/merged");
  return write_file(path_ + "/merged", before + (before.empty() ? "" : "\n") + store_digest(store));
}

Result<JobFolder> JobFolder::open(const std::string& path,
                                  const std::function<void(const std::string&)>& say) {
  TRY(make_folder(path));
  const std::unique_ptr<char, void (*)(void*)> whole(::realpath(path.c_str(), nullptr), &::free);
  if (whole == nullptr) return cannot_read_jobs(path, std::generic_category().message(errno));
  JobFolder out(whole.get(),
                TRY(manifest::FolderLock::take(whole.get(), {.limit = kLockLimit, .say = say})));
  TRY(make_folder(out.path_ + "/submissions"));
  TRY(make_folder(out.path_ + "/points"));
  TRY(write_file(out.path_ + "/job.sh", kJobScript));
  out.id_ = TRY(id_of(out.path_));
  TRY(out.read_submissions());
  return out;
}

std::string JobFolder::submission_name(int number) const {
  return fmt::format("{:06}-{}", number, id_);
}

Result<void> JobFolder::read_submissions() {
  for (const std::string& name : TRY(names_in(path_ + "/submissions")))
    if (const auto number = whole_number<int>(name.substr(0, name.find('-'))))
      submissions_ = std::max(submissions_, *number);
  for (int i = 1; i <= submissions_; ++i) {
    const std::string name = submission_name(i);
    const std::string points = content(path_ + "/submissions/" + name + "/points");
    std::size_t number = 0;
    for (const std::string_view point : split(points, "\n"))
      newest_[std::string(point)] = {name, number++};
  }
  return {};
}

Result<PointFolder> JobFolder::point(const Point& point) const {
  Digest digest;
  digest.add(point.verb);
  digest.add(point.key);
  const std::string name = digest.hex();
  PointFolder out(path_ + "/points/" + name, name);
  TRY(make_folder(out.path_));
  for (const auto& [file, text] :
       {std::pair("verb", &point.verb), {"request", &point.request}, {"key", &point.key}})
    if (content(out.path_ + "/" + file) != *text) TRY(write_file(out.path_ + "/" + file, *text));
  if (const auto task = newest_.find(name); task != newest_.end()) out.task_ = task->second;
  return out;
}

Result<std::string> JobFolder::add_submission(const std::vector<PointFolder*>& points) {
  const std::string name = submission_name(submissions_ + 1);
  const std::string folder = path_ + "/submissions/" + name;
  TRY(make_folder(folder));
  std::string lines;
  for (const PointFolder* point : points) lines += point->name() + "\n";
  TRY(write_file(folder + "/points", lines));
  ++submissions_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i]->task_ = Task{name, i};
    newest_[points[i]->name()] = {name, i};
  }
  return name;
}

std::string JobFolder::job_name(const std::string& submission) { return "ridge-" + submission; }

std::string JobFolder::slurm_words(const Task& task) const {
  return end_of(fmt::format("{}/submissions/{}/{}.out", path_, task.submission, task.number));
}

}  // namespace ridge::lab::slurm
