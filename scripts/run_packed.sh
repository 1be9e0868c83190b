#!/bin/sh
# Measures and tests the card of a machine without a network, with what `deno task pack` packed beside
# this file. Nothing is fetched, nothing is installed.
#
#   OUT=results sh run.sh                     all parts, 410 seconds at most
#   OUT=results sh run.sh --only='joins;tests' --limit=100 --scale=0.01
#
# OUT (default: ./out) takes results.jsonl, a line for each step, as it comes; done.txt, the parts that are
# done; log.txt, what they print; and env.txt, what the machine says of itself. A second call with the same
# OUT goes on where the first one ended; so does one on another machine where done.txt of the first lies
# beside this file. The head of bench/card.ts tells the options. SLUICE_PACK_DIR says where all is unpacked.
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
  # What the machine has itself fits its driver better.
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
# Containers have NVIDIA's driver where no loader looks.
for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  if [ -d "$folder" ]; then libraries=$libraries:$folder; fi
done
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
icd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e "$icd" ]; then export VK_DRIVER_FILES="$icd"; fi

cd "$there/project" || exit 1
offline="-A --cached-only --no-check --lock=$there/cache/packages.lock --frozen=false"

# The name of the adapter, in a process of its own: a driver may abort it.
adapter() {
  timeout 40 deno eval 'const found = await navigator.gpu.requestAdapter();
    console.log(found === null ? "" : found.info.description || found.info.device || "an adapter");
    Deno.exit(0)' 2>/dev/null | tail -1
}

found=$(adapter)
# A driver without the file that names it gets one.
for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
  if [ -n "$found" ]; then break; fi
  path=$(ldconfig -p 2>/dev/null | awk -v name="$library" '$1 == name { print $NF; exit }')
  if [ -z "$path" ]; then continue; fi
  echo "{\"file_format_version\": \"1.0.1\", \"ICD\": {\"library_path\": \"$path\", \"api_version\": \"1.3.0\"}}" \
    >"$there/driver.json"
  export VK_DRIVER_FILES="$there/driver.json"
  found=$(adapter)
done

# What the machine says of itself; some of it is not everywhere.
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
