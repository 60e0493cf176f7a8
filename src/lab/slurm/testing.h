// SPDX-License-Identifier: Apache-2.0
// A Slurm of two nodes for tests: Debian's, started once for a test program by
// scripts/lab_parts.py, whose processes end with the program.
//
//   TestCluster* cluster = TestCluster::get();       // nullptr: none is installed
//   cluster->kill("n1"); cluster->start("n1");       // parts: controller, n1, n2
//   cluster->kill("step n1"); cluster->kill("job n1");
//
// Sets SLURM_CONF of this process. Node n1 has the feature fast, n2 slow, both have both.
// Thread rule: one thread.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/file.h"
#include "record/json_tree.h"

namespace ridge::lab::slurm {

class TestCluster {
 public:
  static TestCluster* get() {
    static const std::unique_ptr<TestCluster> cluster = make();
    return cluster.get();
  }
  TestCluster(const TestCluster&) = delete;
  TestCluster& operator=(const TestCluster&) = delete;
  ~TestCluster() {
    std::fclose(commands_);
    ::waitpid(parts_, nullptr, 0);
    std::fclose(answers_);
  }

  void kill(const std::string& part) { say("kill " + part); }
  void start(const std::string& part) { say("start " + part); }
  /// Processes that jobs left on the nodes after a moment to end: "[]".
  std::string left() {
    constexpr int kTries = 50;
    constexpr useconds_t kPause = 200'000;
    std::string found = field(say("left"), "left");
    for (int i = 0; i < kTries && found != "[]"; ++i) {
      ::usleep(kPause);
      found = field(say("left"), "left");
    }
    return found;
  }

 private:
  TestCluster(pid_t parts, int commands, int answers)
      : parts_(parts), commands_(::fdopen(commands, "w")), answers_(::fdopen(answers, "r")) {}

  static std::unique_ptr<TestCluster> make() {
    const char* source = std::getenv("RIDGE_SOURCE");
    require(source != nullptr, "RIDGE_SOURCE is not set");
    const std::string script = std::string(source) + "/scripts/lab_parts.py";
    std::array<int, 2> in{}, out{};
    require(::pipe2(in.data(), O_CLOEXEC) == 0 && ::pipe2(out.data(), O_CLOEXEC) == 0, "pipe");
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::execlp("python3", "python3", script.c_str(), "slurm", nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    std::unique_ptr<TestCluster> cluster(new TestCluster(child, in[1], out[0]));
    const std::string state = cluster->answer();
    if (state.empty()) return nullptr;
    ::setenv("SLURM_CONF", field(state, "configuration").c_str(), 1);
    return cluster;
  }

  static void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "Slurm for the tests: %s\n", what);
    std::abort();
  }

  std::string say(const std::string& command) {
    std::fprintf(commands_, "%s\n", command.c_str());
    std::fflush(commands_);
    const std::string said = answer();
    require(!said.empty() && field(said, "error").empty(), command.c_str());
    return said;
  }

  std::string answer() {
    std::string line;
    for (int c = std::fgetc(answers_); c != EOF && c != '\n'; c = std::fgetc(answers_))
      line += static_cast<char>(c);
    return line;
  }

  /// A value of the object as it stands in the text; "" where it is absent.
  static std::string field(const std::string& json, const std::string& key) {
    const auto tree = record::JsonTree::parse(json, {});
    require(tree.ok(), json.c_str());
    for (std::uint32_t at = 1; at < (*tree)[0].end; at = (*tree)[at + 1].end)
      if (tree->is(at, key)) return std::string(tree->raw(at + 1));
    return "";
  }

  pid_t parts_;
  FILE *commands_, *answers_;
};

}  // namespace ridge::lab::slurm
