// Things that are good for a short while: trigger ids and response urls. Lifetimes as Slack documents them.
import type { ResponseUrl, Trigger } from '../model/model.ts'
import type { Stamps } from '../model/stamps.ts'

const TRIGGER_MS = 3_000
const RESPONSE_URL_MS = 30 * 60_000
const RESPONSE_URL_USES = 5

export class Triggers {
  readonly #clock: () => number
  readonly #stamps: Stamps
  readonly #issued = new Map<string, Trigger>()

  constructor(clock: () => number, stamps: Stamps) {
    this.#clock = clock
    this.#stamps = stamps
  }

  issue(userId: string, from: { channelId?: string | undefined } = {}): string {
    const number = String(this.#clock()).slice(-9)
    const id = `${number}.${this.#issued.size + 1_000_000}.${this.#stamps.secret()}`
    this.#issued.set(id, {
      id,
      userId,
      issuedAt: this.#clock(),
      channelId: from.channelId,
      isUsed: false,
    })
    return id
  }

  /** The trigger, used up now, or Slack's reason why it cannot be. */
  exchange(
    id: unknown,
  ): Trigger | 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' {
    const trigger = typeof id === 'string' ? this.#issued.get(id) : undefined
    if (!trigger) return 'invalid_trigger_id'
    if (trigger.isUsed) return 'exchanged_trigger_id'
    if (this.#clock() - trigger.issuedAt > TRIGGER_MS) return 'expired_trigger_id'
    trigger.isUsed = true
    return trigger
  }
}

export class ResponseUrls {
  readonly #clock: () => number
  readonly #stamps: Stamps
  readonly #teamId: string
  readonly #issued = new Map<string, ResponseUrl>()

  constructor(clock: () => number, stamps: Stamps, teamId: string) {
    this.#clock = clock
    this.#stamps = stamps
    this.#teamId = teamId
  }

  issue(from: Pick<ResponseUrl, 'kind' | 'channelId' | 'userId' | 'messageTs'>): ResponseUrl {
    const folder = from.kind === 'command' ? 'commands' : from.kind === 'view' ? 'app' : 'actions'
    const path = `/${folder}/${this.#teamId}/${this.#issued.size + 1}/${this.#stamps.secret()}`
    const issued: ResponseUrl = { ...from, path, issuedAt: this.#clock(), uses: 0 }
    this.#issued.set(path, issued)
    return issued
  }

  isOne(path: string): boolean {
    return /^\/(commands|actions|app)\//.test(path)
  }

  /** What the path stands for, or why it is no longer good. Does not count as a use. */
  find(path: string): ResponseUrl | 'used_url' | 'expired_url' | 'invalid_url' {
    const found = this.#issued.get(path)
    if (!found) return 'invalid_url'
    if (this.#clock() - found.issuedAt > RESPONSE_URL_MS) return 'expired_url'
    return found.uses >= RESPONSE_URL_USES ? 'used_url' : found
  }
}
