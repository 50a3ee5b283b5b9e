# Lectern in a container: not root, no compiler, no test packages, torch from the index you name.
# --build-arg BASE=…: any image of a Debian or Ubuntu with Python 3.11 and pip.
ARG BASE=python:3.11-slim
FROM ${BASE}

# libseccomp2 builds the judge's system-call filter. Debian's images have it; one that has not gets it.
RUN ldconfig -p | grep -q 'libseccomp\.so\.2' || \
    { apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*; }
RUN useradd --create-home --uid 10001 lectern && install -d -o lectern /data /srv/lectern
USER lectern
WORKDIR /srv/lectern

# First the pins alone, so that a change of code does not install again. Plain pip brings CUDA with torch, gigabytes that
# Lectern does not use; PyTorch's own CPU index does not: --build-arg TORCH_INDEX=… (README, "Installing without CUDA").
# It is asked for torch and nothing else.
ARG TORCH_INDEX=
COPY --chown=lectern lectern requirements*.lock ./
RUN PIP_NO_CACHE_DIR=1 ./lectern setup

COPY --chown=lectern . .
# Its own folders cannot be written where it runs (docker-compose.yml)
RUN .venv/bin/python -m compileall -q app cli graders migrations
ENV LECTERN_DATA=/data
VOLUME /data
EXPOSE 8000
CMD ["./lectern", "serve"]
