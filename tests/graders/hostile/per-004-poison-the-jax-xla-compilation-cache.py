# allowed: wrong_answer, runtime_error
# framework: jax
# Poison the JAX / XLA compilation cache.
# A cache folder, where there is one, is read-only.

import os, glob, jax
def solve(x):
    d = os.environ.get("JAX_COMPILATION_CACHE_DIR") or jax.config.jax_compilation_cache_dir or "/tmp/jaxcache"
    for p in glob.glob(d + "/*"):
        open(p, "wb").write(b"evil")
    os.makedirs(d, exist_ok=True); open(d + "/jit_f-deadbeef-cache", "wb").write(b"evil")
    return x
