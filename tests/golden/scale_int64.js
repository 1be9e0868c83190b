// scale_int64, ASCII, no nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $words0, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word1_0 = $words0[2 * $row + 1];
    const $word0_0 = $words0[2 * $row + 0];
    const $word1_1 = $words1[2 * $row + 1];
    const $word0_1 = $words1[2 * $row + 0];
    $body: {
      const float$0 = $word1_0 + ($word0_0 >>> 0) * 2.3283064365386963e-10;
      const float$1 = $word1_1 + ($word0_1 >>> 0) * 2.3283064365386963e-10;
      const low$2 = Math.imul($word0_0, $word0_1);
      const high$3 = ($word0_0 >>> 0) * 2.3283064365386963e-10 * ($word0_1 >>> 0) - (low$2 >>> 0) * 2.3283064365386963e-10 + 0.5 | 0;
      const high$4 = high$3 + (Math.imul($word0_0, $word1_1) + Math.imul($word1_0, $word0_1) | 0) | 0;
      const float$5 = high$4 + (low$2 >>> 0) * 2.3283064365386963e-10;
      if (Math.abs(float$0 * float$1 - float$5 * 2.3283064365386963e-10) > 0.5) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const low$6 = 0 - low$2 | 0;
      const carry$7 = (low$2 !== 0) | 0;
      const high$8 = (0 - high$4 | 0) - carry$7 | 0;
      const test$9 = high$4 < 0;
      const low$10 = test$9 ? low$6 : low$2;
      const high$11 = test$9 ? high$8 : high$4;
      const limb$12 = (high$11 >>> 0) / 1000 | 0;
      const dividend$13 = (high$11 - Math.imul(limb$12, 1000) | 0) << 16 | (low$10 >>> 16 | 0);
      const limb$14 = (dividend$13 >>> 0) / 1000 | 0;
      const dividend$15 = (dividend$13 - Math.imul(limb$14, 1000) | 0) << 16 | (low$10 & 65535);
      const limb$16 = (dividend$15 >>> 0) / 1000 | 0;
      const low$17 = limb$14 << 16 | limb$16;
      const low$18 = 0 - low$17 | 0;
      const carry$19 = (low$17 !== 0) | 0;
      const high$20 = (0 - limb$12 | 0) - carry$19 | 0;
      const low$21 = test$9 ? low$18 : low$17;
      const high$22 = test$9 ? high$20 : limb$12;
      $result[2 * $row] = low$21;
      $result[2 * $row + 1] = high$22;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

// scale_int64, UTF-8, nulls
function ($rows, $result, $offsets, $validity, $grow, $copy, $viewBytes, $valid0, $words0, $valid1, $words1) {
  "use strict";
  let $nulls = 0;
  for (let $row = 0; $row < $rows; $row++) {
    const $word1_0 = $words0[2 * $row + 1];
    const $word0_0 = $words0[2 * $row + 0];
    const $word1_1 = $words1[2 * $row + 1];
    const $word0_1 = $words1[2 * $row + 0];
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
      const float$0 = $word1_0 + ($word0_0 >>> 0) * 2.3283064365386963e-10;
      const float$1 = $word1_1 + ($word0_1 >>> 0) * 2.3283064365386963e-10;
      const low$2 = Math.imul($word0_0, $word0_1);
      const high$3 = ($word0_0 >>> 0) * 2.3283064365386963e-10 * ($word0_1 >>> 0) - (low$2 >>> 0) * 2.3283064365386963e-10 + 0.5 | 0;
      const high$4 = high$3 + (Math.imul($word0_0, $word1_1) + Math.imul($word1_0, $word0_1) | 0) | 0;
      const float$5 = high$4 + (low$2 >>> 0) * 2.3283064365386963e-10;
      if (Math.abs(float$0 * float$1 - float$5 * 2.3283064365386963e-10) > 0.5) {
        $nulls++;
        $validity[$row >> 3] &= ~(1 << ($row & 7));
        break $body;
      }
      const low$6 = 0 - low$2 | 0;
      const carry$7 = (low$2 !== 0) | 0;
      const high$8 = (0 - high$4 | 0) - carry$7 | 0;
      const test$9 = high$4 < 0;
      const low$10 = test$9 ? low$6 : low$2;
      const high$11 = test$9 ? high$8 : high$4;
      const limb$12 = (high$11 >>> 0) / 1000 | 0;
      const dividend$13 = (high$11 - Math.imul(limb$12, 1000) | 0) << 16 | (low$10 >>> 16 | 0);
      const limb$14 = (dividend$13 >>> 0) / 1000 | 0;
      const dividend$15 = (dividend$13 - Math.imul(limb$14, 1000) | 0) << 16 | (low$10 & 65535);
      const limb$16 = (dividend$15 >>> 0) / 1000 | 0;
      const low$17 = limb$14 << 16 | limb$16;
      const low$18 = 0 - low$17 | 0;
      const carry$19 = (low$17 !== 0) | 0;
      const high$20 = (0 - limb$12 | 0) - carry$19 | 0;
      const low$21 = test$9 ? low$18 : low$17;
      const high$22 = test$9 ? high$20 : limb$12;
      $result[2 * $row] = low$21;
      $result[2 * $row + 1] = high$22;
    }
  }
  return { nulls: $nulls, data: $result, size: 0 };
}

