# Lectern in a container: not root, no compiler, torch from the index you name.
FROM python:3.11-slim

# libseccomp2 builds the judge's system-call filter (Debian's slim image has it; named so that it stays)
RUN apt-get update && apt-get install -y --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 lectern && install -d -o lectern /data /srv/lectern
USER lectern
WORKDIR /srv/lectern

# First the pins alone, so that a change of code does not install again. Plain pip may bring CUDA with torch, gigabytes
# that Lectern does not use; PyTorch's own CPU index does not: --build-arg TORCH_INDEX=… (README, "Two commands").
ARG TORCH_INDEX=
COPY --chown=lectern lectern requirements.lock ./
RUN PIP_EXTRA_INDEX_URL="$TORCH_INDEX" PIP_NO_CACHE_DIR=1 ./lectern setup

COPY --chown=lectern . .
ENV LECTERN_DATA=/data
VOLUME /data
EXPOSE 8000
CMD ["./lectern", "serve"]
