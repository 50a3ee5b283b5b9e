# allowed: wrong_answer
# Files of /proc that tell what others have mapped, where the host keeps things, how much of anything is left.
# A box has no /proc but what describes its processor.

import os
own = """smaps smaps_rollup pagemap numa_maps maps map_files mountinfo mounts mountstats cgroup cmdline environ stat statm
status timerslack_ns schedstat io wchan syscall limits personality fd fdinfo ns net task attr comm exe root cwd mem""".split()
host = """meminfo stat loadavg uptime vmstat zoneinfo buddyinfo interrupts softirqs schedstat diskstats locks swaps keys
sys/kernel/random/boot_id sys/fs/dentry-state sys/fs/inode-nr sys/fs/file-nr pressure/cpu pressure/io net/dev""".split()
def solve(x):
    for path in [f"/proc/{who}/{name}" for who in ("self", os.getpid(), 1) for name in own] + [f"/proc/{name}" for name in host]:
        try: print("BREACH", path, os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(40))
        except OSError: pass
    for name in ("cpu0/cpufreq/scaling_cur_freq", "online", "cpu0/cpuidle/state0/usage"):
        try: print("BREACH", open(f"/sys/devices/system/cpu/{name}").read())
        except OSError: pass
    return x
