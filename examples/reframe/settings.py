# SPDX-License-Identifier: Apache-2.0
"""A site of ReFrame: this machine, without a scheduler. A partition of a cluster has its scheduler, how it is asked for
(access) and its features; ReFrame's manual lists the schedulers (slurm, flux, pbs, lsf, sge, oar, local)."""


def features():
    """Instruction sets of this machine, as ridge names them in manifests: avx2, avx512f."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
        flags = next((line for line in cpuinfo if line.startswith(("flags", "Features"))), ":")
    return [flag for flag in flags.partition(":")[2].split() if flag[0].isalpha()]


site_configuration = {
    "systems": [{
        "name": "here",
        "hostnames": [".*"],
        "partitions": [{
            "name": "local",
            "scheduler": "local",
            "launcher": "local",
            "environs": ["plain"],
            "features": features(),
            "max_jobs": 1,
        }],
    }],
    "environments": [{"name": "plain"}],
    "logging": [{
        "handlers_perflog": [{
            "type": "filelog",
            "prefix": "%(check_system)s/%(check_partition)s",
            "format": "%(check_result)s,%(check_descr)s,%(check_perfvalues)s",
            "format_perfvars": "%(check_perf_value)s,%(check_perf_unit)s,%(check_perf_ref)s,",
        }],
    }],
}
