// Lengths of time, in milliseconds and in words.

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
/** 24 hours; a day of the calendar can be an hour longer or shorter. */
export const dayMs = 24 * hourMs

/** “4 hours”, “30 minutes”, “7 days”. @param ms - Whole minutes, in milliseconds. */
export function durationWords(ms: number): string {
  const units = [['day', dayMs] as const, ['hour', hourMs] as const]
  const [unit, size] = units.find(([, one]) => ms % one === 0) ?? ['minute', minuteMs]
  const count = ms / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
