// contains_column, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $offsets0, $offsets1, $data0, $data1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
    const operand = ($stop0 - $start0 | 0) + 1 | 0;
    let at = $start0;
    const last = $stop0 - ($stop1 - $start1 | 0) | 0;
    let wasted = 0;
    const much = ($stop1 - $start1 | 0) < 9 ? $stop1 - $start1 | 0 : 9;
    $seek: for (; at <= last; at = at + 1 | 0) {
      let offset = 0;
      $match: for (; offset < ($stop1 - $start1 | 0) && $data0[at + offset | 0] === $data1[$start1 + offset | 0]; offset = offset + 1 | 0) {
      }
      if (offset >= much) {
        if (offset >= ($stop1 - $start1 | 0)) {
          break $seek;
        }
        wasted = wasted + offset | 0;
        if (wasted > 4096) {
          break $seek;
        }
      }
    }
    if (wasted > 4096) {
      let critical = -2;
      let period = 1;
      let order = 0;
      $orders: for (; order < 2; order = order + 1 | 0) {
        let before = -1;
        let suffixPeriod = 1;
        let other = 0;
        let step = 1;
        $suffix: for (; (other + step | 0) < ($stop1 - $start1 | 0); ) {
          const own = $data1[$start1 + (before + step | 0) | 0];
          const next = $data1[$start1 + (other + step | 0) | 0];
          if (own === next) {
            if (step === suffixPeriod) {
              other = other + suffixPeriod | 0;
              step = 1;
            } else {
              step = step + 1 | 0;
            }
          } else {
            if (order === 1 ? own < next : own > next) {
              other = other + step | 0;
              step = 1;
              suffixPeriod = other - before | 0;
            } else {
              before = other;
              other = other + 1 | 0;
              step = 1;
              suffixPeriod = 1;
            }
          }
        }
        if (before > critical) {
          critical = before;
          period = suffixPeriod;
        }
      }
      let repeats = 0;
      $repeat: for (; repeats <= critical && $data1[$start1 + repeats | 0] === $data1[$start1 + (repeats + period | 0) | 0]; repeats = repeats + 1 | 0) {
      }
      const periodic = repeats > critical;
      const cut = critical;
      const move = periodic ? period : ((critical + 1 | 0) > (($stop1 - $start1 | 0) - (critical + 1 | 0) | 0) ? critical + 1 | 0 : ($stop1 - $start1 | 0) - (critical + 1 | 0) | 0) + 1 | 0;
      const kept = periodic ? ($stop1 - $start1 | 0) - period | 0 : 0;
      let known = 0;
      $twoWay: for (; at <= last; ) {
        let up = (cut + 1 | 0) > known ? cut + 1 | 0 : known;
        $up_2: for (; up < ($stop1 - $start1 | 0) && $data1[$start1 + up | 0] === $data0[at + up | 0]; up = up + 1 | 0) {
        }
        if (up < ($stop1 - $start1 | 0)) {
          at = at + (up - cut | 0) | 0;
          known = 0;
          continue $twoWay;
        }
        let down = cut + 1 | 0;
        $down_2: for (; down > known && $data1[$start1 + (down - 1 | 0) | 0] === $data0[at + (down - 1 | 0) | 0]; down = down - 1 | 0) {
        }
        if (down <= known) {
          break $twoWay;
        }
        at = at + move | 0;
        known = kept;
      }
    }
    const find = at <= last ? at - $start0 | 0 : -1;
    $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// contains_column, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $valid1, $offsets0, $offsets1, $data0, $data1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $stop0 = $offsets0[$row + 1];
    const $start0 = $offsets0[$row];
    const $stop1 = $offsets1[$row + 1];
    const $start1 = $offsets1[$row];
    $body: {
      if (!(($valid0[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      if (!(($valid1[$row >> 3] >> ($row & 7) & 1) === 1)) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const operand = ($stop0 - $start0 | 0) + 1 | 0;
      let at = $start0;
      const last = $stop0 - ($stop1 - $start1 | 0) | 0;
      let wasted = 0;
      const much = ($stop1 - $start1 | 0) < 9 ? $stop1 - $start1 | 0 : 9;
      $seek: for (; at <= last; at = at + 1 | 0) {
        let offset = 0;
        $match: for (; offset < ($stop1 - $start1 | 0) && $data0[at + offset | 0] === $data1[$start1 + offset | 0]; offset = offset + 1 | 0) {
        }
        if (offset >= much) {
          if (offset >= ($stop1 - $start1 | 0)) {
            break $seek;
          }
          wasted = wasted + offset | 0;
          if (wasted > 4096) {
            break $seek;
          }
        }
      }
      if (wasted > 4096) {
        let critical = -2;
        let period = 1;
        let order = 0;
        $orders: for (; order < 2; order = order + 1 | 0) {
          let before = -1;
          let suffixPeriod = 1;
          let other = 0;
          let step = 1;
          $suffix: for (; (other + step | 0) < ($stop1 - $start1 | 0); ) {
            const own = $data1[$start1 + (before + step | 0) | 0];
            const next = $data1[$start1 + (other + step | 0) | 0];
            if (own === next) {
              if (step === suffixPeriod) {
                other = other + suffixPeriod | 0;
                step = 1;
              } else {
                step = step + 1 | 0;
              }
            } else {
              if (order === 1 ? own < next : own > next) {
                other = other + step | 0;
                step = 1;
                suffixPeriod = other - before | 0;
              } else {
                before = other;
                other = other + 1 | 0;
                step = 1;
                suffixPeriod = 1;
              }
            }
          }
          if (before > critical) {
            critical = before;
            period = suffixPeriod;
          }
        }
        let repeats = 0;
        $repeat: for (; repeats <= critical && $data1[$start1 + repeats | 0] === $data1[$start1 + (repeats + period | 0) | 0]; repeats = repeats + 1 | 0) {
        }
        const periodic = repeats > critical;
        const cut = critical;
        const move = periodic ? period : ((critical + 1 | 0) > (($stop1 - $start1 | 0) - (critical + 1 | 0) | 0) ? critical + 1 | 0 : ($stop1 - $start1 | 0) - (critical + 1 | 0) | 0) + 1 | 0;
        const kept = periodic ? ($stop1 - $start1 | 0) - period | 0 : 0;
        let known = 0;
        $twoWay: for (; at <= last; ) {
          let up = (cut + 1 | 0) > known ? cut + 1 | 0 : known;
          $up_2: for (; up < ($stop1 - $start1 | 0) && $data1[$start1 + up | 0] === $data0[at + up | 0]; up = up + 1 | 0) {
          }
          if (up < ($stop1 - $start1 | 0)) {
            at = at + (up - cut | 0) | 0;
            known = 0;
            continue $twoWay;
          }
          let down = cut + 1 | 0;
          $down_2: for (; down > known && $data1[$start1 + (down - 1 | 0) | 0] === $data0[at + (down - 1 | 0) | 0]; down = down - 1 | 0) {
          }
          if (down <= known) {
            break $twoWay;
          }
          at = at + move | 0;
          known = kept;
        }
      }
      const find = at <= last ? at - $start0 | 0 : -1;
      $result[$row >> 3] |= (find >= 0 | 0) << ($row & 7);
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

