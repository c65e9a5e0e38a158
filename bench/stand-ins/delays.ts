// Answers that take their time. A timer of Node's is up to two milliseconds late, which would be much of what is
// measured: the last stretch is waited turn by turn of the event loop.

const stretchMs = 2

/** Runs things this much later, in the order in which they came. */
export function createDelay() {
  let ms = 0
  const due: { readonly at: number; readonly run: () => void }[] = []
  let next = 0
  let isWaiting = false

  function look(): void {
    isWaiting = false
    const now = performance.now()
    for (let first = due[next]; first !== undefined && first.at <= now; first = due[next]) {
      next += 1
      first.run()
    }
    if (next === due.length) {
      due.length = 0
      next = 0
    }
    wait()
  }

  function wait(): void {
    const first = due[next]
    if (isWaiting || first === undefined) return
    isWaiting = true
    const leftMs = first.at - performance.now()
    if (leftMs > stretchMs) setTimeout(look, leftMs - stretchMs)
    else setImmediate(look)
  }

  return {
    /** Only when nothing waits. */
    set(value: number): void {
      ms = value
    },
    later(run: () => void): void {
      if (ms === 0) {
        run()
        return
      }
      due.push({ at: performance.now() + ms, run })
      wait()
    },
  }
}
