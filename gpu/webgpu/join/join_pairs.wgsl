// Counts the pairs of a row of the probe side; a library. The kernel binds params and key_starts.
//
// key_starts first row of each key, and the end
//
// params[1]  pairs of a row without a match: 0 or 1; of a row with matches: EACH, or 0 or 1; whether the
//            number of a key is its only row, so that key_starts is not read

const EACH = 2u;

// Returns the pairs of a row whose key has the number + 1 in the table, or 0.
fn pairs_of(number: u32) -> u32 {
  if (number == 0u) {
    return params[1].x;
  }
  if (params[1].y != EACH) {
    return params[1].y;
  }
  if (params[1].z != 0u) {
    return 1u;
  }
  return key_starts[number] - key_starts[number - 1u];
}
