// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/lab_file.h"

#include <gtest/gtest.h>

#include "lab/submit/lab_reader.h"

namespace ridge::lab {
namespace {

TEST(LabFile, HasHostsPartitionsAndAStore) {
  const Lab lab = parse_lab(R"(store = "runs.db"
[[host]]
name = "b2"
ssh = "bench@b2.example.org"
tags = ["gpu", "rack-3"]
port = 2222
identity = "/home/me/.ssh/id"
known_hosts = "known"
[[host]]
name = "here"
[[slurm]]
partition = "short"
constraint = "avx512"
folder = "/shared/ridge"
tags = ["quiet"]
)")
                      .value();
  EXPECT_EQ(lab.store, "runs.db");
  ASSERT_EQ(lab.hosts.size(), 2U);
  EXPECT_EQ(lab.hosts[0].ssh, "bench@b2.example.org");
  EXPECT_EQ(lab.hosts[0].tags, (std::vector<std::string>{"gpu", "rack-3"}));
  EXPECT_EQ(lab.hosts[0].port, 2222U);
  EXPECT_EQ(lab.hosts[1].ssh, "");
  EXPECT_EQ(lab.slurm[0].slurm.partition, "short");
  EXPECT_EQ(lab.slurm[0].slurm.constraint, "avx512");
  EXPECT_EQ(lab.slurm[0].slurm.folder, "/shared/ridge");
  EXPECT_EQ(lab.slurm[0].tags, std::vector<std::string>{"quiet"});
}

/// First line and code of the error.
std::string refusal(std::string_view text) {
  const auto lab = parse_lab(text);
  if (lab.ok()) return "";
  const std::string whole = lab.error().text();
  return whole.substr(0, whole.find('\n')) + " [" + lab.error().code() + "]";
}

TEST(LabFile, FaultsHaveLineAndColumn) {
  EXPECT_EQ(refusal("[[host]]\nname = \"b2\"\nssh = \"-oProxyCommand=sh\"\n"),
            "error: host[0].ssh, line 3, column 7: '-oProxyCommand=sh' is no destination for ssh "
            "[RIDGE-LAB-0110]");
  EXPECT_EQ(refusal("[[host]]\nname = \"b2\"\nprot = 22\n"),
            "error: host[0].prot, line 3, column 1: unknown key 'prot' [RIDGE-REC-0003]");
  EXPECT_EQ(refusal("[[host]]\nname = \"b2\"\nport = 70000\n"),
            "error: host[0].port, line 3, column 8: integer from 1 to 65535 expected, got 70000 "
            "[RIDGE-REC-0002]");
}

TEST(LabFile, NoFieldReachesAShell) {
  for (const char* ssh : {"b2 rm", "b2;rm", "$(rm)", "`rm`", "b2\nrm", "-v", "a'b", "a\\\"b"})
    EXPECT_FALSE(checked_destination(ssh).ok()) << ssh;
  for (const char* ssh : {"b2", "me@b2.example.org", "me@[::1]", "fe80::1%eth0", ""})
    EXPECT_TRUE(checked_destination(ssh).ok()) << ssh;
  EXPECT_FALSE(checked_path("a b").ok());
  EXPECT_FALSE(checked_name("").ok());
  EXPECT_FALSE(checked_name("../b2").ok());
}

TEST(LabFile, NamesAreDistinctAndAMachineIsThere) {
  EXPECT_EQ(refusal("[[host]]\nname = \"b2\"\n[[host]]\nname = \"b2\"\n"),
            "error: two hosts are called 'b2' [RIDGE-LAB-0111]");
  EXPECT_EQ(refusal("store = \"runs.db\"\n"),
            "error: the laboratory has no machine "
            "[RIDGE-LAB-0117]");
}

}  // namespace
}  // namespace ridge::lab
