// SPDX-License-Identifier: Apache-2.0
// An OpenSSH server for tests: on a loopback port of its own, with keys of its own, in a temporary
// folder, as the user who runs the test. It ends with the object, and with the test program.
//
//   const auto b1 = TestSshd::start({.name = "b1"});         // nullptr: no server is installed
//   write_text(lab, "store = \"runs.db\"\n" + b1->lab_host());
//   ::kill(b1->descendant("ridge agent"), SIGKILL);
//
// Commands that it runs find ridge, and have a home and a cache folder of their own: the user's
// start-up files may do anything. Thread rule: one thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::tests {

struct SshdOptions {
  std::string name;
  bool has_ridge = true;
  std::string noise = {};  ///< script that runs before each command
};

class TestSshd {
 public:
  static std::unique_ptr<TestSshd> start(SshdOptions options);
  TestSshd(const TestSshd&) = delete;
  TestSshd& operator=(const TestSshd&) = delete;
  ~TestSshd();

  /// Its [[host]] in the description of a laboratory, with or without its host key.
  std::string lab_host(bool known = true) const;
  /// Processes that it started and those that they started, whose command line has `part`.
  std::vector<pid_t> descendants(std::string_view part) const;

 private:
  explicit TestSshd(SshdOptions options) : options_(std::move(options)) {}
  bool make_keys() const;
  void write_configuration() const;
  bool listens() const;
  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  SshdOptions options_;
  std::filesystem::path folder_;
  int port_ = 0;
  pid_t pid_ = 0;
};

}  // namespace ridge::tests
