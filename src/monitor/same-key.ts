// Compares keys: one key may be written in two ways. Pure.
// Source: the API document of the service, “Alert”: it does not promise to answer a key as it was asked.

/** True where they differ at most in capitals, percent-encoding or Unicode normalization. */
export function isSameKey(one: string, other: string): boolean {
  return one === other || plainForm(one) === plainForm(other)
}

function plainForm(key: string): string {
  return key
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decoded)
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
}

/** As it stands where those bytes are no text. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
