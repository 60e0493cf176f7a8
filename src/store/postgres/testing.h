// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL server for tests: Debian's, started once for a test program in a temporary folder,
// reached through a Unix socket there, and killed with the program.
//
//   TestServer* server = TestServer::get();          // nullptr: none is installed
//   Store::open(server->new_schema(), Access::kCreate)
//
// Thread rule: one thread.
#pragma once

#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/database.h"

namespace ridge::store::postgres {

class TestServer {
 public:
  static TestServer* get() {
    static const std::unique_ptr<TestServer> server = make();
    return server.get();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    kill();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// URI of a database; `more`: "&user=reader".
  std::string uri(const std::string& schema, const std::string& more = "") const {
    return "postgresql:///postgres?host=" + folder_ + "&options=-csearch_path%3D" + schema + more;
  }
  /// URI of a new empty schema.
  std::string new_schema() {
    const std::string name = "t" + std::to_string(++schemas_);
    run("CREATE SCHEMA " + name);
    return uri(name);
  }
  /// Executes statements of an administrator.
  void run(const std::string& sql) const {
    const auto db = Database::open(uri("public"), Access::kWrite, kPatience);
    require(db.ok(), db.ok() ? "" : db.error().text());
    const auto done = db->run(sql);
    require(done.ok(), done.ok() ? "" : done.error().text());
  }

  /// On the thread that lives longest: the server ends with it.
  void start() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
      // One that was killed leaves processes that hold its memory for a moment: the next one ends.
      if (postmaster_ <= 0 || ::waitpid(postmaster_, nullptr, WNOHANG) == postmaster_)
        postmaster_ = as_owner({bin_ + "/postgres", "-D", folder_ + "/data", "-k", folder_, "-c",
                                "listen_addresses=", "-c", "max_connections=40"});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (!Database::open(uri("public"), Access::kRead, Nanos{0}).ok() &&
             std::chrono::steady_clock::now() < until);
  }
  /// As kill -9 of the server: what it was doing is lost.
  void kill() {
    if (postmaster_ <= 0) return;
    ::kill(postmaster_, SIGKILL);
    ::waitpid(postmaster_, nullptr, 0);
    postmaster_ = 0;
  }

 private:
  TestServer(std::string bin, std::string folder)
      : bin_(std::move(bin)), folder_(std::move(folder)) {}

  static std::unique_ptr<TestServer> make() {
    std::string bin;
    std::error_code absent;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", absent))
      if (std::filesystem::exists(version.path() / "bin/postgres"))
        bin = (version.path() / "bin").string();
    if (bin.empty()) return nullptr;
    std::string name = (std::filesystem::temp_directory_path() / "ridge-pg-XXXXXX").string();
    std::unique_ptr<TestServer> out(new TestServer(bin, ::mkdtemp(name.data())));
    if (const passwd* owner = out->owner())
      require(::chown(name.c_str(), owner->pw_uid, owner->pw_gid) == 0, "chown");
    const pid_t made = out->as_owner({bin + "/initdb", "-D", name + "/data", "--no-sync", "-A",
                                      "trust", "-U", "root", "-E", "UTF8", "--locale", "C"});
    int status = 0;
    ::waitpid(made, &status, 0);
    require(status == 0, "initdb");
    out->ask_password_of("secret");
    out->start();
    return out;
  }

  static void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "PostgreSQL for the tests: %s\n", what.c_str());
    std::abort();
  }

  /// All other roles need none.
  void ask_password_of(const std::string& role) const {
    const std::string path = folder_ + "/data/pg_hba.conf";
    std::ifstream in(path);
    const std::string rest{std::istreambuf_iterator<char>(in), {}};
    std::ofstream(path) << "local all " << role << " scram-sha-256\n" << rest;
  }

  /// The server refuses to run as root.
  static const passwd* owner() { return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr; }

  /// Starts a program that ends with this one.
  static pid_t as_owner(const std::vector<std::string>& arguments) {
    const passwd* owner = TestServer::owner();
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (owner != nullptr && (::setgroups(0, nullptr) != 0 || ::setgid(owner->pw_gid) != 0 ||
                             ::setuid(owner->pw_uid) != 0))
      ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::freopen("/dev/null", "w", stdout) == nullptr ||
        ::freopen("/dev/null", "w", stderr) == nullptr || ::chdir("/") != 0)
      ::_exit(126);
    std::vector<char*> words;
    for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }

  std::string bin_, folder_;
  pid_t postmaster_ = 0;
  int schemas_ = 0;
};

}  // namespace ridge::store::postgres
