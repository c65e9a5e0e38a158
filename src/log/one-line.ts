// Text from outside on one line. Pure.

/** Without what breaks a line, steers a terminal, or turns the direction of the words beside it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu, ' ')
}
