/**
 * Exports the built-in string operations, and nothing else. The methods of `Expr`, the parser of
 * expressions and `sluice ops` all derive from this list.
 *
 * @module
 */

export { endsWith, removePrefix, removeSuffix, startsWith } from "./affixes.ts";
export { capitalize, lower, swapcase, title, upper } from "./case.ts";
export { cast, tryCast } from "./convert/cast.ts";
export { filterCharacters } from "./filter_characters.ts";
export { contains, count, find, rfind } from "./find.ts";
export { hexToInteger, integerToHex } from "./convert/hex.ts";
export { integerToIpv4, ipv4ToInteger } from "./convert/ipv4.ts";
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
export { at } from "./json/at.ts";
export { like } from "./like.ts";
export { get, join } from "./list.ts";
export { minhash, ngrams } from "./minhash.ts";
export { nfc, nfd, nfkc, nfkd } from "./normal_forms.ts";
export { pad, repeat, zfill } from "./pad.ts";
export { partition, rpartition } from "./partition.ts";
export { recode } from "./recode.ts";
export { redact } from "./redact.ts";
export { countRe, extract, findAll, findRe, splitRe } from "./regex_find.ts";
export { containsRe, matches } from "./regex_match.ts";
export { replace } from "./replace.ts";
export { replaceMany } from "./replace_many.ts";
export { replaceRe } from "./replace_re.ts";
export { byteLength, estimateTokens, length } from "./size.ts";
export { left, replaceSlice, reverse, right, slice } from "./slice.ts";
export { rsplit, split } from "./split.ts";
export { splitPart } from "./split_part.ts";
export { collapseSpace, lstrip, rstrip, strip } from "./strip.ts";
export { toBoolean } from "./convert/to_boolean.ts";
export { isFloat, toFloat } from "./convert/to_float.ts";
export { isInteger, toInteger } from "./convert/to_integer.ts";
export { toString } from "./convert/to_string.ts";
export { format } from "./convert/format.ts";
export { toDate, toTimestamp } from "./convert/to_time.ts";
export { translate } from "./translate.ts";
export { urlDecode, urlEncode } from "./url.ts";
export { wrap } from "./wrap.ts";
