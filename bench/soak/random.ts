// Chance that can be repeated: the same seed makes the same choices. When they meet the bots is up to the machine.

export interface Random {
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  /** Each as often as its number says. */
  weighed<T>(list: readonly (readonly [number, T])[]): T
  /** Another one, of its own: who uses it does not depend on the others' pace. */
  fork(): Random
}

/** A small generator (mulberry32), so that each run is the same. */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  function pick<T>(list: readonly T[]): T {
    const index = Math.floor(next() * list.length)
    for (const found of list.slice(index, index + 1)) return found
    throw new TypeError('there is nothing to pick from')
  }

  return {
    between: (from, to) => from + (to - from) * next(),
    pick,
    weighed(list) {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, one] of list) {
        left -= weight
        if (left < 0) return one
      }
      return pick(list)[1]
    },
    fork: () => createRandom(Math.floor(next() * 2 ** 31)),
  }
}
