// SPDX-License-Identifier: Apache-2.0
#include "workplace.h"

#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "graph/sketch.h"
#include "onnx/writer.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

fs::path from_environment(const char* name, const fs::path& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? fs::path(value) : otherwise;
}

void write_models(const fs::path& folder) {
  for (const fs::path& file : files_in(source_tree() / "tests/models", ".txt")) {
    const auto document = graph::Sketch::document(read_text(file));
    const std::string path = (folder / file.stem()).string() + ".onnx";
    if (const Result<void> written = onnx::write_file(*document, path); !written.ok())
      throw std::runtime_error(written.error().text());
  }
}

void copy_runs(const fs::path& folder) {
  for (const fs::path& file : files_in(source_tree() / "tests/runs", ".json"))
    fs::copy_file(file, folder / file.filename());
}

/// Status of a command, and peak memory over it and the processes that it waited for.
Outcome run_shell(const std::string& command) {
  std::string shell = "sh", option = "-c", text = command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("no shell");
  int ended = 0;
  rusage used = {};
  while (::wait4(child, &ended, 0, &used) < 0) {
    if (errno != EINTR) throw std::runtime_error("waiting for the shell failed");
  }
  Outcome outcome;
  outcome.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  outcome.peak_bytes = std::int64_t{used.ru_maxrss} << 10;
  return outcome;
}

}  // namespace

Workplace::Workplace() {
  std::string path = (fs::temp_directory_path() / "ridge-test-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = path;
  fs::create_directory(folder_ / "there");
  write_models(folder_ / "there");
  copy_runs(folder_ / "there");
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Outcome Workplace::run(std::string_view script, int cpu_seconds) const {
  const std::string limit = cpu_seconds > 0 ? fmt::format("ulimit -t {}\n", cpu_seconds) : "";
  const fs::path build = program().parent_path();
  const std::string path =
      fmt::format("'{}':'{}':'{}'", build.string(), (build / "examples").string(),
                  (source_tree() / "examples/ci").string());
  write_text(folder_ / "script",
             fmt::format("set -e -o pipefail\n{}PATH={}:$PATH\n{}\n", limit, path, script));
  Outcome outcome = run_shell(
      fmt::format("cd '{0}/there' && exec bash '{0}/script' >'{0}/out' 2>'{0}/err' </dev/null",
                  folder_.string()));
  outcome.out = read_text(folder_ / "out");
  outcome.err = read_text(folder_ / "err");
  return outcome;
}

fs::path program() { return from_environment("RIDGE_PROGRAM", source_tree() / "build/ridge"); }

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_runtime() { return fs::exists(program().parent_path() / "lib/ridge/libonnxruntime.so"); }

bool lacks_openvino(std::string_view text) {
  return text.find("openvino") != std::string_view::npos &&
         !fs::exists(program().parent_path() / "lib/ridge/ridge_openvino.so");
}

fs::path python_of_clients() {
  const fs::path home = from_environment("HOME", "/");
  const fs::path cache = from_environment("XDG_CACHE_HOME", home / ".cache");
  return from_environment("RIDGE_PYTHON_CLIENTS", cache / "ridge/python-clients/current") /
         "bin/python";
}

fs::path source_tree() { return from_environment("RIDGE_SOURCE", fs::current_path()); }

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace ridge::tests
