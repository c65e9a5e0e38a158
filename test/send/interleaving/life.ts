// Lives of processes: each call that one makes is a step that the scheduler gives it, before it is made and before it is
// answered, and at any step it may die or sleep.
import type { Scheduler } from 'fast-check'

export interface LifePlan {
  /** At which of its steps it dies: nothing that it has asked for is ever answered again. Undefined: it lives. */
  readonly diesAt: number | undefined
  /** At which of its steps it falls silent, and comes back. */
  readonly sleepsAt: number | undefined
  readonly sleepsMs: number
}

export interface Life {
  readonly isDead: () => boolean
  /** Makes a call that takes no time. */
  call<T>(what: string, work: () => T | Promise<T>): Promise<T>
  /** Makes a call that is answered so much later, whatever happens to the process. */
  remote<T>(what: string, answersInMs: number, work: () => T): Promise<T>
}

/** Never answered, and never thrown: as if nobody were there any more. One for each, as it holds on to who waits for it. */
const never = () => new Promise<never>(() => undefined)

export function createLife(
  name: string,
  { diesAt, sleepsAt, sleepsMs }: LifePlan,
  room: {
    readonly scheduler: Scheduler
    readonly now: () => number
    readonly wait: (ms: number) => Promise<void>
    /** Is told of each step that is taken. */
    readonly onStep: (step: string) => void
    /** Is told of work that ends by itself, without the scheduler and the clock. */
    readonly underWay: (work: Promise<unknown>) => void
  },
): Life {
  const { scheduler, now, wait, onStep, underWay } = room
  let steps = 0
  let isDead = false
  let wakesAt = 0

  async function step(what: string): Promise<void> {
    if (isDead) return never()
    await scheduler.schedule(Promise.resolve(), `${name} ${what}`)
    steps += 1
    onStep(`${name} ${what}`)
    if (steps === diesAt) isDead = true
    if (steps === sleepsAt) wakesAt = now() + sleepsMs
    // Two that wake at the same time go on in any order.
    while (!isDead && now() < wakesAt) {
      await wait(wakesAt - now())
      await scheduler.schedule(Promise.resolve(), `${name} ${what}, waking`)
    }
    if (isDead) return never()
  }

  return {
    isDead: () => isDead,
    async call(what, work) {
      await step(what)
      const done = begin(work)
      underWay(done)
      const [result] = await Promise.allSettled([done])
      await step(`${what}: ${endOf(result)}`)
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
    async remote(what, answersInMs, work) {
      await step(what)
      const [result] = await Promise.allSettled([begin(work)])
      await wait(answersInMs)
      await step(`${what}: ${endOf(result)}`)
      if (result.status === 'rejected') throw result.reason
      return result.value
    },
  }
}

function endOf(result: PromiseSettledResult<unknown>): string {
  return result.status === 'rejected' ? String(result.reason) : (JSON.stringify(result.value) ?? 'done')
}

/** Those that fit a line. */
function partsOf(given: readonly unknown[]): string {
  return given.map((part) => (JSON.stringify(part) ?? '').slice(0, 80)).join(' ')
}

/** What it throws rejects as well. */
async function begin<T>(work: () => T | Promise<T>): Promise<T> {
  return work()
}

/** The same, with each of its methods called by this process. */
export function calledBy<T extends object>(life: Pick<Life, 'call'>, port: T): T {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: readonly unknown[]) =>
        life.call(`${String(name)} ${partsOf(given)}`, () => Reflect.apply(method, target, given))
    },
  })
}
