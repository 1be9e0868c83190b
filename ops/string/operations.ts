/**
 * The built-in string operations, and nothing else: this list is what the methods of `Expr`, the
 * parser of expressions and `sluice ops` are made from.
 *
 * @module
 */

export { endsWith, removePrefix, removeSuffix, startsWith } from "./affixes.ts";
export { capitalize, lower, swapcase, title, upper } from "./case.ts";
export { containsRe } from "./contains_re.ts";
export { countRe } from "./count_re.ts";
export { extract } from "./extract.ts";
export { filterCharacters } from "./filter_characters.ts";
export { contains, count, find, rfind } from "./find.ts";
export { findAll } from "./find_all.ts";
export { findRe } from "./find_re.ts";
export { format } from "./format.ts";
export { hexToInteger } from "./hex_to_integer.ts";
export { integerToHex } from "./integer_to_hex.ts";
export { integerToIpv4 } from "./integer_to_ipv4.ts";
export { ipv4ToInteger } from "./ipv4_to_integer.ts";
export { isFloat } from "./is_float.ts";
export { isInteger } from "./is_integer.ts";
export {
  isAlnum,
  isAlpha,
  isDecimal,
  isDigit,
  isLower,
  isNumeric,
  isSpace,
  isTitle,
  isUpper,
} from "./kinds.ts";
export { like } from "./like.ts";
export { get, join } from "./list.ts";
export { matches } from "./matches.ts";
export { minhash, ngrams } from "./minhash.ts";
export { nfc, nfd, nfkc, nfkd } from "./normal_forms.ts";
export { pad, repeat, zfill } from "./pad.ts";
export { partition, rpartition } from "./partition.ts";
export { redact } from "./redact.ts";
export { replace } from "./replace.ts";
export { replaceMany } from "./replace_many.ts";
export { replaceRe } from "./replace_re.ts";
export { byteLength, estimateTokens, length } from "./size.ts";
export { left, replaceSlice, reverse, right, slice } from "./slice.ts";
export { rsplit, split } from "./split.ts";
export { splitPart } from "./split_part.ts";
export { splitRe } from "./split_re.ts";
export { collapseSpace, lstrip, rstrip, strip } from "./strip.ts";
export { toBoolean } from "./to_boolean.ts";
export { toDate } from "./to_date.ts";
export { toFloat } from "./to_float.ts";
export { toInteger } from "./to_integer.ts";
export { toString } from "./to_string.ts";
export { toTimestamp } from "./to_timestamp.ts";
export { translate } from "./translate.ts";
export { urlDecode, urlEncode } from "./url.ts";
export { wrap } from "./wrap.ts";
