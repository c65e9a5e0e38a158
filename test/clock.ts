// The clock of a test: it goes as the real one, and ahead of it by what the test says.

export interface Clock {
  now(): number
  advance(ms: number): void
}

export function startClock(): Clock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    advance(ms) {
      ahead += ms
    },
  }
}
