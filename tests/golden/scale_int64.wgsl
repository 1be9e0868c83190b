// scale_int64, ASCII, no nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let low0 = bitcast<i32>(column0[params[2].z + 2u * row0]);
  let high0 = bitcast<i32>(column0[params[2].z + 2u * row0 + 1u]);
  let row1 = params[3].w + index;
  let low1 = bitcast<i32>(column1[params[3].z + 2u * row1]);
  let high1 = bitcast<i32>(column1[params[3].z + 2u * row1 + 1u]);
  let v_low_S0: i32 = 0 - low0;
  let v_carry_S1: i32 = select(0, 1, low0 != 0);
  let v_high_S2: i32 = (0 - high0) - v_carry_S1;
  let v_test_S3: bool = high0 < 0;
  let v_low_S4: i32 = select(low0, v_low_S0, v_test_S3);
  let v_high_S5: i32 = select(high0, v_high_S2, v_test_S3);
  let v_low_S6: i32 = 0 - low1;
  let v_carry_S7: i32 = select(0, 1, low1 != 0);
  let v_high_S8: i32 = (0 - high1) - v_carry_S7;
  let v_test_S9: bool = high1 < 0;
  let v_low_S10: i32 = select(low1, v_low_S6, v_test_S9);
  let v_high_S11: i32 = select(high1, v_high_S8, v_test_S9);
  let v_low_S12: i32 = v_low_S4 * v_low_S10;
  let v_limb_S13: i32 = v_low_S4 & 65535;
  let v_limb_S14: i32 = bitcast<i32>(bitcast<u32>(v_low_S4) >> 16u);
  let v_limb_S15: i32 = v_low_S10 & 65535;
  let v_limb_S16: i32 = bitcast<i32>(bitcast<u32>(v_low_S10) >> 16u);
  let v_middle_S17: i32 = (v_limb_S14 * v_limb_S15) + (bitcast<i32>(bitcast<u32>(v_limb_S13 * v_limb_S15) >> 16u));
  let v_high_S18: i32 = (v_limb_S14 * v_limb_S16) + ((bitcast<i32>(bitcast<u32>(v_middle_S17) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S13 * v_limb_S16) + (v_middle_S17 & 65535)) >> 16u)));
  let v_isLarge_S19: bool = v_high_S5 != 0;
  let v_top_S20: i32 = select(v_high_S11, v_high_S5, v_isLarge_S19);
  let v_other_S21: i32 = select(v_low_S4, v_low_S10, v_isLarge_S19);
  let v_low_S22: i32 = v_top_S20 * v_other_S21;
  let v_limb_S23: i32 = v_top_S20 & 65535;
  let v_limb_S24: i32 = bitcast<i32>(bitcast<u32>(v_top_S20) >> 16u);
  let v_limb_S25: i32 = v_other_S21 & 65535;
  let v_limb_S26: i32 = bitcast<i32>(bitcast<u32>(v_other_S21) >> 16u);
  let v_middle_S27: i32 = (v_limb_S24 * v_limb_S25) + (bitcast<i32>(bitcast<u32>(v_limb_S23 * v_limb_S25) >> 16u));
  let v_high_S28: i32 = (v_limb_S24 * v_limb_S26) + ((bitcast<i32>(bitcast<u32>(v_middle_S27) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S23 * v_limb_S26) + (v_middle_S27 & 65535)) >> 16u)));
  let v_high_S29: i32 = v_high_S18 + v_low_S22;
  if ((((v_isLarge_S19 && (v_high_S11 != 0)) || (v_high_S28 != 0)) || (bitcast<u32>(v_high_S29) < bitcast<u32>(v_high_S18))) || ((v_high_S29 < 0) && (!((((high0 ^ high1) < 0) && (v_high_S29 == (i32(-2147483647 - 1)))) && (v_low_S12 == 0))))) {
    row_is_null = true;
    return;
  }
  let v_low_S30: i32 = low0 * low1;
  let v_limb_S31: i32 = low0 & 65535;
  let v_limb_S32: i32 = bitcast<i32>(bitcast<u32>(low0) >> 16u);
  let v_limb_S33: i32 = low1 & 65535;
  let v_limb_S34: i32 = bitcast<i32>(bitcast<u32>(low1) >> 16u);
  let v_middle_S35: i32 = (v_limb_S32 * v_limb_S33) + (bitcast<i32>(bitcast<u32>(v_limb_S31 * v_limb_S33) >> 16u));
  let v_high_S36: i32 = (v_limb_S32 * v_limb_S34) + ((bitcast<i32>(bitcast<u32>(v_middle_S35) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S31 * v_limb_S34) + (v_middle_S35 & 65535)) >> 16u)));
  let v_high_S37: i32 = v_high_S36 + ((low0 * high1) + (high0 * low1));
  let v_low_S38: i32 = 0 - v_low_S30;
  let v_carry_S39: i32 = select(0, 1, v_low_S30 != 0);
  let v_high_S40: i32 = (0 - v_high_S37) - v_carry_S39;
  let v_test_S41: bool = v_high_S37 < 0;
  let v_low_S42: i32 = select(v_low_S30, v_low_S38, v_test_S41);
  let v_high_S43: i32 = select(v_high_S37, v_high_S40, v_test_S41);
  let v_limb_S44: i32 = bitcast<i32>(bitcast<u32>(v_high_S43) / 1000u);
  let v_dividend_S45: i32 = ((v_high_S43 - (v_limb_S44 * 1000)) << 16u) | (bitcast<i32>(bitcast<u32>(v_low_S42) >> 16u));
  let v_limb_S46: i32 = bitcast<i32>(bitcast<u32>(v_dividend_S45) / 1000u);
  let v_dividend_S47: i32 = ((v_dividend_S45 - (v_limb_S46 * 1000)) << 16u) | (v_low_S42 & 65535);
  let v_limb_S48: i32 = bitcast<i32>(bitcast<u32>(v_dividend_S47) / 1000u);
  let v_low_S49: i32 = (v_limb_S46 << 16u) | v_limb_S48;
  let v_low_S50: i32 = 0 - v_low_S49;
  let v_carry_S51: i32 = select(0, 1, v_low_S49 != 0);
  let v_high_S52: i32 = (0 - v_limb_S44) - v_carry_S51;
  let v_low_S53: i32 = select(v_low_S49, v_low_S50, v_test_S41);
  let v_high_S54: i32 = select(v_limb_S44, v_high_S52, v_test_S41);
  result0 = v_low_S53;
  result1 = v_high_S54;
}

// scale_int64, UTF-8, nulls
// pass single
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 4>;
@group(0) @binding(1) var<storage, read> column0: array<u32>;
@group(0) @binding(2) var<storage, read> column1: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;

fn compute_row(index: u32) {
  let row0 = params[2].w + index;
  let valid0 = ((column0[params[2].x + (row0 >> 5u)] >> (row0 & 31u)) & 1u) == 1u;
  let low0 = bitcast<i32>(column0[params[2].z + 2u * row0]);
  let high0 = bitcast<i32>(column0[params[2].z + 2u * row0 + 1u]);
  let row1 = params[3].w + index;
  let valid1 = ((column1[params[3].x + (row1 >> 5u)] >> (row1 & 31u)) & 1u) == 1u;
  let low1 = bitcast<i32>(column1[params[3].z + 2u * row1]);
  let high1 = bitcast<i32>(column1[params[3].z + 2u * row1 + 1u]);
  if (!valid0) {
    row_is_null = true;
    return;
  }
  if (!valid1) {
    row_is_null = true;
    return;
  }
  let v_low_S0: i32 = 0 - low0;
  let v_carry_S1: i32 = select(0, 1, low0 != 0);
  let v_high_S2: i32 = (0 - high0) - v_carry_S1;
  let v_test_S3: bool = high0 < 0;
  let v_low_S4: i32 = select(low0, v_low_S0, v_test_S3);
  let v_high_S5: i32 = select(high0, v_high_S2, v_test_S3);
  let v_low_S6: i32 = 0 - low1;
  let v_carry_S7: i32 = select(0, 1, low1 != 0);
  let v_high_S8: i32 = (0 - high1) - v_carry_S7;
  let v_test_S9: bool = high1 < 0;
  let v_low_S10: i32 = select(low1, v_low_S6, v_test_S9);
  let v_high_S11: i32 = select(high1, v_high_S8, v_test_S9);
  let v_low_S12: i32 = v_low_S4 * v_low_S10;
  let v_limb_S13: i32 = v_low_S4 & 65535;
  let v_limb_S14: i32 = bitcast<i32>(bitcast<u32>(v_low_S4) >> 16u);
  let v_limb_S15: i32 = v_low_S10 & 65535;
  let v_limb_S16: i32 = bitcast<i32>(bitcast<u32>(v_low_S10) >> 16u);
  let v_middle_S17: i32 = (v_limb_S14 * v_limb_S15) + (bitcast<i32>(bitcast<u32>(v_limb_S13 * v_limb_S15) >> 16u));
  let v_high_S18: i32 = (v_limb_S14 * v_limb_S16) + ((bitcast<i32>(bitcast<u32>(v_middle_S17) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S13 * v_limb_S16) + (v_middle_S17 & 65535)) >> 16u)));
  let v_isLarge_S19: bool = v_high_S5 != 0;
  let v_top_S20: i32 = select(v_high_S11, v_high_S5, v_isLarge_S19);
  let v_other_S21: i32 = select(v_low_S4, v_low_S10, v_isLarge_S19);
  let v_low_S22: i32 = v_top_S20 * v_other_S21;
  let v_limb_S23: i32 = v_top_S20 & 65535;
  let v_limb_S24: i32 = bitcast<i32>(bitcast<u32>(v_top_S20) >> 16u);
  let v_limb_S25: i32 = v_other_S21 & 65535;
  let v_limb_S26: i32 = bitcast<i32>(bitcast<u32>(v_other_S21) >> 16u);
  let v_middle_S27: i32 = (v_limb_S24 * v_limb_S25) + (bitcast<i32>(bitcast<u32>(v_limb_S23 * v_limb_S25) >> 16u));
  let v_high_S28: i32 = (v_limb_S24 * v_limb_S26) + ((bitcast<i32>(bitcast<u32>(v_middle_S27) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S23 * v_limb_S26) + (v_middle_S27 & 65535)) >> 16u)));
  let v_high_S29: i32 = v_high_S18 + v_low_S22;
  if ((((v_isLarge_S19 && (v_high_S11 != 0)) || (v_high_S28 != 0)) || (bitcast<u32>(v_high_S29) < bitcast<u32>(v_high_S18))) || ((v_high_S29 < 0) && (!((((high0 ^ high1) < 0) && (v_high_S29 == (i32(-2147483647 - 1)))) && (v_low_S12 == 0))))) {
    row_is_null = true;
    return;
  }
  let v_low_S30: i32 = low0 * low1;
  let v_limb_S31: i32 = low0 & 65535;
  let v_limb_S32: i32 = bitcast<i32>(bitcast<u32>(low0) >> 16u);
  let v_limb_S33: i32 = low1 & 65535;
  let v_limb_S34: i32 = bitcast<i32>(bitcast<u32>(low1) >> 16u);
  let v_middle_S35: i32 = (v_limb_S32 * v_limb_S33) + (bitcast<i32>(bitcast<u32>(v_limb_S31 * v_limb_S33) >> 16u));
  let v_high_S36: i32 = (v_limb_S32 * v_limb_S34) + ((bitcast<i32>(bitcast<u32>(v_middle_S35) >> 16u)) + (bitcast<i32>(bitcast<u32>((v_limb_S31 * v_limb_S34) + (v_middle_S35 & 65535)) >> 16u)));
  let v_high_S37: i32 = v_high_S36 + ((low0 * high1) + (high0 * low1));
  let v_low_S38: i32 = 0 - v_low_S30;
  let v_carry_S39: i32 = select(0, 1, v_low_S30 != 0);
  let v_high_S40: i32 = (0 - v_high_S37) - v_carry_S39;
  let v_test_S41: bool = v_high_S37 < 0;
  let v_low_S42: i32 = select(v_low_S30, v_low_S38, v_test_S41);
  let v_high_S43: i32 = select(v_high_S37, v_high_S40, v_test_S41);
  let v_limb_S44: i32 = bitcast<i32>(bitcast<u32>(v_high_S43) / 1000u);
  let v_dividend_S45: i32 = ((v_high_S43 - (v_limb_S44 * 1000)) << 16u) | (bitcast<i32>(bitcast<u32>(v_low_S42) >> 16u));
  let v_limb_S46: i32 = bitcast<i32>(bitcast<u32>(v_dividend_S45) / 1000u);
  let v_dividend_S47: i32 = ((v_dividend_S45 - (v_limb_S46 * 1000)) << 16u) | (v_low_S42 & 65535);
  let v_limb_S48: i32 = bitcast<i32>(bitcast<u32>(v_dividend_S47) / 1000u);
  let v_low_S49: i32 = (v_limb_S46 << 16u) | v_limb_S48;
  let v_low_S50: i32 = 0 - v_low_S49;
  let v_carry_S51: i32 = select(0, 1, v_low_S49 != 0);
  let v_high_S52: i32 = (0 - v_limb_S44) - v_carry_S51;
  let v_low_S53: i32 = select(v_low_S49, v_low_S50, v_test_S41);
  let v_high_S54: i32 = select(v_limb_S44, v_high_S52, v_test_S41);
  result0 = v_low_S53;
  result1 = v_high_S54;
}

