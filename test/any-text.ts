// Texts for properties.
import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Any character, as fast-check’s `unit: 'binary'`, which first makes a table of all of Unicode for each arbitrary: half a
 * second each time.
 */
export const anyCharacter = fc
  .nat(0x10ffff - surrogates.count)
  .map((nth) => String.fromCodePoint(nth < surrogates.from ? nth : nth + surrogates.count))
