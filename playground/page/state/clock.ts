// The playground's clock, as the server's last state has it.
let aheadMs = 0

/** Milliseconds since 1970. */
export const now = (): number => Date.now() + aheadMs

export function setAhead(ms: number): void {
  aheadMs = ms
}
