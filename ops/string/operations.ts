/**
 * The built-in string operations, and nothing else: this list is what the methods of `Expr`, the
 * parser of expressions and `sluice ops` are made from.
 *
 * @module
 */

export { byteLength } from "./byte_length.ts";
export { capitalize } from "./capitalize.ts";
export { collapseSpace } from "./collapse_space.ts";
export { contains } from "./contains.ts";
export { containsRe } from "./contains_re.ts";
export { count } from "./count.ts";
export { countRe } from "./count_re.ts";
export { endsWith } from "./ends_with.ts";
export { estimateTokens } from "./estimate_tokens.ts";
export { extract } from "./extract.ts";
export { filterCharacters } from "./filter_characters.ts";
export { find } from "./find.ts";
export { findRe } from "./find_re.ts";
export { format } from "./format.ts";
export { get } from "./get.ts";
export { hexToInteger } from "./hex_to_integer.ts";
export { integerToHex } from "./integer_to_hex.ts";
export { integerToIpv4 } from "./integer_to_ipv4.ts";
export { ipv4ToInteger } from "./ipv4_to_integer.ts";
export { isAlnum } from "./is_alnum.ts";
export { isAlpha } from "./is_alpha.ts";
export { isDecimal } from "./is_decimal.ts";
export { isDigit } from "./is_digit.ts";
export { isFloat } from "./is_float.ts";
export { isInteger } from "./is_integer.ts";
export { isLower } from "./is_lower.ts";
export { isNumeric } from "./is_numeric.ts";
export { isSpace } from "./is_space.ts";
export { isTitle } from "./is_title.ts";
export { isUpper } from "./is_upper.ts";
export { left } from "./left.ts";
export { length } from "./length.ts";
export { like } from "./like.ts";
export { lower } from "./lower.ts";
export { lstrip } from "./lstrip.ts";
export { matches } from "./matches.ts";
export { nfc } from "./nfc.ts";
export { nfd } from "./nfd.ts";
export { nfkc } from "./nfkc.ts";
export { nfkd } from "./nfkd.ts";
export { pad } from "./pad.ts";
export { redact } from "./redact.ts";
export { removePrefix } from "./remove_prefix.ts";
export { removeSuffix } from "./remove_suffix.ts";
export { repeat } from "./repeat.ts";
export { replace } from "./replace.ts";
export { replaceMany } from "./replace_many.ts";
export { replaceRe } from "./replace_re.ts";
export { replaceSlice } from "./replace_slice.ts";
export { reverse } from "./reverse.ts";
export { rfind } from "./rfind.ts";
export { right } from "./right.ts";
export { rstrip } from "./rstrip.ts";
export { slice } from "./slice.ts";
export { splitPart } from "./split_part.ts";
export { startsWith } from "./starts_with.ts";
export { strip } from "./strip.ts";
export { swapcase } from "./swapcase.ts";
export { title } from "./title.ts";
export { toBoolean } from "./to_boolean.ts";
export { toDate } from "./to_date.ts";
export { toFloat } from "./to_float.ts";
export { toInteger } from "./to_integer.ts";
export { toString } from "./to_string.ts";
export { toTimestamp } from "./to_timestamp.ts";
export { translate } from "./translate.ts";
export { upper } from "./upper.ts";
export { urlDecode } from "./url_decode.ts";
export { urlEncode } from "./url_encode.ts";
export { wrap } from "./wrap.ts";
export { zfill } from "./zfill.ts";
