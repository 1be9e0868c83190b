#!/bin/sh
# Measures and tests the card of a machine without a network, with the files that `deno task pack` put beside
# this one. It fetches and installs nothing.
#
#   OUT=results sh run.sh                     all parts, 410 seconds at most
#   OUT=results sh run.sh --only='joins;tests' --limit=100 --scale=0.01
#
# OUT (default: ./out) receives results.jsonl, a line for each step as it ends; done.txt, the finished parts;
# log.txt, their output; and env.txt, a description of the machine. A second call with the same OUT resumes
# where the first one ended; so does a call on another machine if done.txt of the first lies beside this file.
# The header of bench/card.ts describes the options. SLUICE_PACK_DIR is the folder to unpack to.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$PWD/out}
there=${SLUICE_PACK_DIR:-${TMPDIR:-/tmp}/sluice-pack}
mkdir -p "$out" "$there/bin" "$there/cache" "$there/lib" "$there/all" "$there/project" || exit 1
out=$(cd "$out" && pwd)
if [ -e "$here/done.txt" ] && ! [ -e "$out/done.txt" ]; then cp "$here/done.txt" "$out/"; fi

if ! [ -e "$there/ready" ]; then
  xz -dc "$here/deno.xz" >"$there/bin/deno" && chmod +x "$there/bin/deno" &&
    tar -C "$there/cache" -xJf "$here/packages.tar.xz" &&
    tar -C "$there/all" -xJf "$here/libraries.tar.xz" &&
    tar -C "$there/project" -xJf "$here/project.tar.xz" || exit 1
  # The machine's own libraries fit its driver better.
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)
  for file in "$there"/all/*; do
    name=${file##*/}
    case $known in *"$name "*) ;; *) cp "$file" "$there/lib/" ;; esac
  done
  : >"$there/ready"
fi

export PATH="$there/bin:$PATH:/sbin:/usr/sbin" DENO_DIR="$there/cache" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1
export HOME="${HOME:-$there}" XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$there}"
libraries=$there/lib
# Containers have NVIDIA's driver in folders that no loader searches.
for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  if [ -d "$folder" ]; then libraries=$libraries:$folder; fi
done
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
icd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e "$icd" ]; then export VK_DRIVER_FILES="$icd"; fi

cd "$there/project" || exit 1
offline="-A --cached-only --no-check --lock=$there/cache/packages.lock --frozen=false"

# Prints the name of the adapter. A separate process, since a driver may abort it.
adapter() {
  timeout 40 deno eval 'const found = await navigator.gpu.requestAdapter();
    console.log(found === null ? "" : found.info.description || found.info.device || "an adapter");
    Deno.exit(0)' 2>/dev/null | tail -1
}

found=$(adapter)
# Creates the file that registers a driver, if it is missing.
for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
  if [ -n "$found" ]; then break; fi
  path=$(ldconfig -p 2>/dev/null | awk -v name="$library" '$1 == name { print $NF; exit }')
  if [ -z "$path" ]; then continue; fi
  echo "{\"file_format_version\": \"1.0.1\", \"ICD\": {\"library_path\": \"$path\", \"api_version\": \"1.3.0\"}}" \
    >"$there/driver.json"
  export VK_DRIVER_FILES="$there/driver.json"
  found=$(adapter)
done

# Describes the machine; some of these commands do not exist everywhere.
{
  echo "Sluice $(cat "$here/commit.txt")"
  deno --version
  uname -a
  nproc
  free -g
  lscpu
  cat /proc/driver/nvidia/version
  nvidia-smi
  nvidia-smi -q -d CLOCK,POWER,PERFORMANCE
  nvidia-smi --format=csv --query-gpu=name,pcie.link.gen.current,pcie.link.width.current,memory.total
  ls -l /dev/dri /dev/nvidia* /usr/share/vulkan/icd.d /etc/vulkan/icd.d
  ldconfig -p | grep -E 'vulkan|nvidia|EGL|GLX'
} >"$out/env.txt" 2>&1

echo "Sluice $(cat "$here/commit.txt"): ${found:-no adapter, so only what needs none}"
if [ -z "$found" ]; then
  VK_LOADER_DEBUG=error,warn,driver timeout 40 deno eval 'await navigator.gpu.requestAdapter()' \
    >>"$out/env.txt" 2>&1
  set -- --host "$@"
fi
exec deno run $offline bench/card.ts --out="$out" --tests="$here/tests.txt" --deno="$offline" "$@"
