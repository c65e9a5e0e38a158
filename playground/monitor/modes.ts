// Modes of assets and containers of the stand-in service, each with an end or for ever. What a container's mode means for
// the mode that its assets show is not documented: they keep their own.
import type { Mode } from './contract.ts'
import { type Delay, Later } from './later.ts'

/** An asset or a container, as the paths of the service have it. */
export type Monitored = `asset/${number}` | `container/${number}`

export interface NewMode {
  readonly mode: Mode
  /** In minutes, from now. Default for ever. */
  readonly duration?: number | undefined
}

export interface TimedMode {
  readonly mode: Mode
  /** Milliseconds since 1970; undefined: for ever. */
  readonly endsAt: number | undefined
}

const normal: TimedMode = { mode: 'normal', endsAt: undefined }

const minuteMs = 60_000

export class Modes {
  /** As they were set. */
  readonly #modes = new Map<Monitored, TimedMode>()
  readonly #later: Later<Monitored, TimedMode>
  readonly #now: () => number

  /** @param now - Milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#later = new Later(now)
  }

  /** In place of the one that it has. @param visible - When reads show it. Default at once. */
  set(of: Monitored, { mode, duration }: NewMode, visible: 'at-once' | Delay = 'at-once'): void {
    if (visible !== 'at-once') this.#later.hide(of, this.inForce(of), visible)
    const endsAt = duration === undefined ? undefined : this.#now() + duration * minuteMs
    this.#modes.set(of, { mode, endsAt })
  }

  /** By now: normal once its end has passed, or where none was set. */
  inForce(of: Monitored): TimedMode {
    return this.#unlessOver(this.#modes.get(of))
  }

  /** Of those that have one, past ones too. */
  ends(): readonly number[] {
    return [...this.#modes.values()].flatMap(({ endsAt }) => endsAt ?? [])
  }

  /** As a read shows it now. Counts the read. */
  shown(of: Monitored): Mode {
    return this.#unlessOver(this.#later.read(of) ?? this.#modes.get(of)).mode
  }

  clear(): void {
    this.#modes.clear()
    this.#later.clear()
  }

  #unlessOver(timed = normal): TimedMode {
    return timed.endsAt === undefined || this.#now() < timed.endsAt ? timed : normal
  }
}
