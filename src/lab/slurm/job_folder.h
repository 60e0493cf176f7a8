// SPDX-License-Identifier: Apache-2.0
// The folder that a cluster's nodes and this machine share: what is asked for, what jobs leave, and
// what was decided of it. All that a call needs to go on after it was killed is in here.
//
//   JobFolder folder = TRY(JobFolder::open(path, say));       // makes it; one program at a time
//   PointFolder place = TRY(folder.point(point));
//   const std::string submission = TRY(folder.add_submission({&place, ...}));
//   const Marks marks = place.marks(submission);              // what the job has left so far
//
//   FOLDER/lock  id  job.sh
//   FOLDER/submissions/SUBMISSION/points  one point's name a line: the tasks of an array
//   FOLDER/submissions/SUBMISSION/7.out   what Slurm says of task 7
//   FOLDER/points/POINT/verb request key  what is to be measured
//   FOLDER/points/POINT/SUBMISSION/       what its job leaves (job_script.h)
//   FOLDER/points/POINT/SUBMISSION.revoked  that job must not run any more, and why
//   FOLDER/points/POINT/accepted          the submission whose result counts
//   FOLDER/points/POINT/merged            the stores that have it
//
// A submission is called 000001-ID; the id tells the folder from an earlier one of the same name.
// A file is written in full or not at all, so that a program that is killed leaves a state that was
// true. A job may be gone, late, or there twice: only the submission in `accepted` counts.
//
// Errors: environment class, as base/file.h and manifest/folder_lock.h (another call uses the
// folder), and RIDGE-LAB-0311 (something in it cannot be read).
// Thread rule: one thread. Cost: a few small files for each point.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/slurm/partition.h"
#include "manifest/folder_lock.h"

namespace ridge::lab::slurm {

/// RIDGE-LAB-0311 for a file or a folder.
Error cannot_read_jobs(const std::string& path, const std::string& why);

/// Marks that a job has left.
struct Marks {
  std::string started;        ///< "17 n1"; "" before its start
  std::string alive;          ///< changes while it runs
  std::optional<int> status;  ///< status of ridge, once it is over
};

/// A task of a submission.
struct Task {
  std::string submission;
  std::size_t number = 0;
};

/// Why a job must not run any more.
enum class Revoked { kNo, kLost, kFailed, kStopped };

class PointFolder {
 public:
  const std::string& name() const { return name_; }
  /// The newest task that was made for it; nullopt before the first.
  const std::optional<Task>& task() const { return task_; }
  /// Tasks that were lost so far.
  int lost() const;

  Marks marks(const std::string& submission) const;
  Revoked revoked(const std::string& submission) const;
  Result<void> revoke(const std::string& submission, Revoked why) const;

  std::string database(const std::string& submission) const;
  /// The end of what ridge printed on standard error.
  std::string words(const std::string& submission) const;

  /// The submission whose result counts; "" before there is one.
  std::string accepted() const;
  Result<void> accept(const std::string& submission) const;
  bool is_merged(std::string_view store) const;
  Result<void> set_merged(std::string_view store) const;

 private:
  friend class JobFolder;
  PointFolder(std::string path, std::string name)
      : path_(std::move(path)), name_(std::move(name)) {}

  std::string path_, name_;
  std::optional<Task> task_;
};

class JobFolder {
 public:
  static Result<JobFolder> open(const std::string& path,
                                const std::function<void(const std::string&)>& say);

  /// Absolute, without symbolic links.
  const std::string& path() const { return path_; }
  Result<PointFolder> point(const Point& point) const;
  /// Name of the new submission, whose tasks are the points in their order. They know it.
  Result<std::string> add_submission(const std::vector<PointFolder*>& points);
  /// Name of a submission's array in the queue.
  static std::string job_name(const std::string& submission);
  /// The end of what Slurm has said of a task.
  std::string slurm_words(const Task& task) const;

 private:
  JobFolder(std::string path, manifest::FolderLock lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  Result<void> read_submissions();
  std::string submission_name(int number) const;

  std::string path_, id_;
  manifest::FolderLock lock_;
  int submissions_ = 0;
  std::map<std::string, Task> newest_;  ///< by the name of the point
};

}  // namespace ridge::lab::slurm
