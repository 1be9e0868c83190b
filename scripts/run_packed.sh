#!/bin/sh
# Runs what `deno task pack` packed beside this file, without a network: first the benches of kernels,
# then the stress test, then the tests of the device. Nothing is fetched, nothing is installed.
#
#   OUT=results BENCH_MINUTES=4 STRESS_MINUTES=3 TEST_MINUTES=2 sh run.sh
#
# OUT (default: ./out) takes what each prints, and gpu.json, gpu.md and the charts of the benches. Each
# part ends within its minutes or soon after; 0 leaves it out. BENCH=quick measures a tenth of the rows,
# STRESS="--rows 30000 --rounds 3" stresses less, and SLUICE_PACK_DIR says where all is unpacked.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$PWD/out}
there=${SLUICE_PACK_DIR:-${TMPDIR:-/tmp}/sluice-pack}
bench_minutes=${BENCH_MINUTES:-4}
stress_minutes=${STRESS_MINUTES:-3}
test_minutes=${TEST_MINUTES:-2}
mkdir -p "$out" "$there/bin" "$there/cache" "$there/lib" "$there/all" "$there/project" || exit 1
out=$(cd "$out" && pwd)

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

export PATH="$there/bin:$PATH" DENO_DIR="$there/cache" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1
export HOME="${HOME:-$there}" XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$there}"
export LD_LIBRARY_PATH="$there/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# Containers have NVIDIA's driver where no loader looks.
icd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -z "${VK_DRIVER_FILES:-}" ] && [ -e "$icd" ]; then export VK_DRIVER_FILES="$icd"; fi

cd "$there/project" || exit 1
offline="-A --cached-only --no-check --lock=$there/cache/packages.lock --frozen=false"
failed=0

# part NAME MINUTES COMMAND...: prints and keeps what a command prints, and ends it when it hangs.
part() {
  name=$1 minutes=$2
  shift 2
  if [ "$minutes" = 0 ]; then return; fi
  echo "== $name"
  { timeout -k 10 $((60 * minutes + 45)) "$@" 2>&1; echo $? >"$there/status"; } | tee "$out/$name.log"
  status=$(cat "$there/status")
  if [ "$status" != 0 ]; then
    failed=1
    echo "$name ended with status $status" | tee -a "$out/$name.log"
  fi
}

# The files of tests one by one, as many as there is time for; the last line counts.
tests() {
  deadline=$(($(date +%s) + 60 * test_minutes))
  passed=0 wrong=0 left=0
  while read -r file; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      left=$((left + 1))
      continue
    fi
    # A process may hang; one that runs when the time is over may go on for a while.
    if timeout -k 10 120 deno test $offline --sanitize-ops --sanitize-resources \
      --preload=tests/support/failed_parts.ts "$file" >"$there/test.log" 2>&1 </dev/null; then
      passed=$((passed + 1))
      echo "ok     $file"
    elif grep -q '^ok | ' "$there/test.log"; then
      # Some drivers abort a process that exits, when all of its tests have passed.
      passed=$((passed + 1))
      echo "ok     $file (the process was killed when it exited)"
    else
      wrong=$((wrong + 1))
      echo "FAILED $file"
      cat "$there/test.log"
    fi
  done <"$here/tests.txt"
  echo "$passed files passed, $wrong failed, no time for $left"
  [ "$wrong" = 0 ]
}

echo "Sluice $(cat "$here/commit.txt")"
part bench "$bench_minutes" deno run $offline bench/bench.ts gpu ${BENCH:-} \
  --minutes="$bench_minutes" --out="$out"
part stress "$stress_minutes" deno run $offline scripts/stress.ts \
  --minutes "$stress_minutes" ${STRESS:-}
if [ "$test_minutes" != 0 ]; then
  echo "== tests"
  { tests; echo $? >"$there/status"; } | tee "$out/tests.log"
  [ "$(cat "$there/status")" = 0 ] || failed=1
fi
exit "$failed"
