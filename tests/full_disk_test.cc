// SPDX-License-Identifier: Apache-2.0
// A store on a full file system, while a runtime measures. The small file system is mounted in a
// namespace of the test's commands. (tests/cli/full_disk.txt has the cases without a runtime.)
#include <gtest/gtest.h>

#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Runs a script beside a folder `full`, whose file system has room for a store of one run and
/// 48 KiB more: the store can be opened, but a run does not fit.
class FullDiskSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    for (const char* how : {"unshare -m", "unshare -rm"})
      if (unshare_.empty() &&
          place_.run(std::string(how) + " mount -t tmpfs tmpfs /mnt").status == 0)
        unshare_ = how;
    if (unshare_.empty()) GTEST_SKIP() << "no file system may be mounted here";
  }

  Outcome run(const std::string& script) {
    write_text(place_.folder() / "there/script", "set -e -o pipefail\n" + script);
    Outcome outcome =
        place_.run("mkdir -p full aside\nexport TMPDIR=$PWD/aside\n" + unshare_ + R"( bash -c '
      mount -t tmpfs -o size=1m tmpfs full
      ridge runs add full/runs.db run.json >/dev/null
      head -c $(($(stat -f -c "%a * %S" full) - 49152)) /dev/zero >full/fill
      set +e
      bash script >out 2>err; echo "status $?"
      rm full/fill
      grep -v -e ^warning -e ^note out
      grep -v -e ^warning -e ^note -e ^wrote -e " of 2: " err | sed s/runs-......[.]json/runs-XXXXXX.json/g
      ridge runs add full/runs.db $(ls *.json aside/*.json 2>/dev/null) | grep -v there | sed s/runs-......[.]json/runs-XXXXXX.json/
    ')");
    const std::string folder = place_.folder().string();
    for (std::size_t at = 0; (at = outcome.out.find(folder)) != std::string::npos;)
      outcome.out.replace(at, folder.size(), "<folder>");
    return outcome;
  }

 private:
  Workplace place_;
  std::string unshare_;
};

TEST_F(FullDiskSlow, AProfileIsInItsDocument) {
  EXPECT_EQ(run("rm *.json\nridge profile plain.onnx --bind batch=2 --processes 1 --budget 0 "
                "--store full/runs.db --format json --output p.json")
                .out,
            "status 4\n"
            "error: full/runs.db: 1 run could not be stored: reading or writing the store failed\n"
            "  database or disk is full; p.json contains every run\n"
            "  hint: free some space, then: ridge runs add full/runs.db p.json\n"
            "  [RIDGE-WB-0061]\n"
            "p.json: stored as run 2\n");
}

TEST_F(FullDiskSlow, ATableLeavesTheWholeRunInTheTemporaryFolder) {
  EXPECT_EQ(run("rm *.json\nridge profile plain.onnx --bind batch=2 --processes 1 --budget 0 "
                "--store full/runs.db --top 1 | cut -c 1-17 | head -n 1")
                .out,
            "status 4\n"
            "plain.onnx: batch\n"
            "error: full/runs.db: 1 run could not be stored: reading or writing the store failed\n"
            "  database or disk is full; standard output contains the document; "
            "<folder>/there/aside/ridge-runs-XXXXXX.json contains the runs that are not stored\n"
            "  hint: free some space, then: ridge runs add full/runs.db "
            "<folder>/there/aside/ridge-runs-XXXXXX.json\n"
            "  [RIDGE-WB-0061]\n"
            "aside/ridge-runs-XXXXXX.json: stored as run 2\n");
}

TEST_F(FullDiskSlow, ASweepGoesOnAndADocumentWithoutRoomGoesToStandardOutput) {
  EXPECT_EQ(run("rm *.json\nridge profile plain.onnx --bind batch=1,2 --processes 1 --budget 0 "
                "--store full/runs.db --format json --output /dev/full >p.json")
                .out,
            "status 4\n"
            "error: /dev/full: cannot write it: No space left on device\n"
            "  standard output contains the document\n"
            "  [RIDGE-IO-0006]\n"
            "error: full/runs.db: 2 runs could not be stored: reading or writing the store "
            "failed\n"
            "  database or disk is full; standard output contains every run\n"
            "  hint: free some space, then: ridge runs add full/runs.db FILE, where FILE has "
            "that standard output\n"
            "  [RIDGE-WB-0061]\n"
            "p.json: stored as run 2\n"
            "p.json: stored as run 3\n");
}

TEST_F(FullDiskSlow, BenchPrintsThePointAndGoesOnWithTheOthersAnotherTime) {
  EXPECT_EQ(run("rm *.json\nridge bench plain.onnx --bind batch=4,8 --processes 1 "
                "--store full/runs.db --format csv | cut -d, -f 1-2,10-12")
                .out,
            "status 4\n"
            "model,point,state,error,key\n"
            "plain.onnx,\"batch=4,,waiting,\n"
            "plain.onnx,\"batch=8,,measured,\n"
            "2 points\n"
            "1 point not measured; run the same command again to continue\n"
            "error: full/runs.db: 1 run could not be stored: reading or writing the store failed\n"
            "  database or disk is full; <folder>/there/aside/ridge-runs-XXXXXX.json contains the "
            "runs that are not stored\n"
            "  hint: free some space, then: ridge runs add full/runs.db "
            "<folder>/there/aside/ridge-runs-XXXXXX.json\n"
            "  [RIDGE-WB-0061]\n"
            "aside/ridge-runs-XXXXXX.json: stored as run 2\n");
}

}  // namespace
}  // namespace ridge::tests
