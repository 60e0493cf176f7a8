// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a run database: it opens, and every run of its list is read and compared with
// itself, or a step ends with an error that has a message. The work is bounded by the size of the
// file, not by its content.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "check.h"
#include "compare/comparison.h"
#include "store/run_rows.h"
#include "store/store.h"

namespace {

using ridge::fuzz::check;
using ridge::store::Access;
using ridge::store::Store;

/// Private folder, deleted with the object: SQLite opens by path and looks for files beside it.
class OwnFolder {
 public:
  OwnFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "ridge-store-fuzz-XXXXXX").string();
    check(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string write(std::string_view bytes) const {
    std::string path = (folder_ / "runs.db").string();
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    check(file >= 0);
    check(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    ::close(file);
    for (const char* beside : {"-wal", "-shm", "-journal"}) ::unlink((path + beside).c_str());
    return path;
  }

 private:
  std::filesystem::path folder_;
};

/// Uses a profile as consumers do, which rely on its indices without further checks.
void use(const ridge::profile::Profile& profile) {
  check(ridge::store::content_of(profile).size() == 32);
  const auto comparison = ridge::compare::compare_runs({{"a", profile}, {"b", profile}});
  check(comparison.ok() || !comparison.error().text().empty());
}

void read_all(const Store& store) {
  const auto list = store.list();
  if (!list.ok()) return check(!list.error().text().empty());
  for (const ridge::store::RunRow& row : *list) {
    const auto profile = store.read(row.id);
    if (profile.ok())
      use(*profile);
    else
      check(!profile.error().text().empty());
    check(store.stamp(row.id).ok() || row.id != 0);
  }
  const auto points = store.suite_points();
  check(points.ok() || !points.error().text().empty());
  if (points.ok())
    for (const std::string& point : *points) {
      const auto suites = store.suites(point);
      check(suites.ok() || !suites.error().text().empty());
    }
  const auto checks = store.checked_findings();
  check(checks.ok() || !checks.error().text().empty());
  using Kind = ridge::profile::EvaluationKind;
  for (const Kind kind : {Kind::kEvaluation, Kind::kGeneration}) {
    const auto evaluations = store.evaluations(kind);
    check(evaluations.ok() || !evaluations.error().text().empty());
    if (!evaluations.ok()) continue;
    for (const ridge::store::EvaluationRow& row : *evaluations) {
      const auto evaluation = store.evaluation(row.id, kind);
      check(evaluation.ok() || !evaluation.error().text().empty());
    }
  }
  const auto failures = store.failures();
  check(failures.ok() || !failures.error().text().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const OwnFolder folder;
  const std::string path =
      folder.write(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto store = Store::open(path, Access::kRead, ridge::Nanos{0});
  if (!store.ok()) {
    check(!store.error().text().empty());
    return 0;
  }
  read_all(*store);
  return 0;
}
