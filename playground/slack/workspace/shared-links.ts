// Links that the bot was told of: in messages, which it may unfurl, and in what people are still writing.
import type { Stamps } from '../model/stamps.ts'

export interface SharedLink {
  readonly unfurlId: string
  readonly source: 'composer' | 'conversations_history'
  /** `COMPOSER` for what is still being written. */
  readonly channelId: string
  /** Of the message; the unfurl id for what is still being written. */
  readonly ts: string
  /** Who wrote it; undefined for webhooks. */
  readonly userId: string | undefined
  /** As Slack tells them, `&` escaped. */
  readonly urls: readonly string[]
}

/** What somebody is writing and has not sent. */
export interface Draft {
  readonly channelId: string
  readonly userId: string
  readonly text: string
}

export class SharedLinks {
  readonly #stamps: Stamps
  readonly #told: SharedLink[] = []

  constructor(stamps: Stamps) {
    this.#stamps = stamps
  }

  /** Source of the ids' forms: docs.slack.dev/reference/events/link_shared. */
  inMessage(link: Pick<SharedLink, 'channelId' | 'ts' | 'userId' | 'urls'>): SharedLink {
    const secrets = `${this.#stamps.secret()}${this.#stamps.secret()}`
    const unfurlId = `${link.channelId}.${link.ts}.${secrets}`
    return this.#keep({ ...link, unfurlId, source: 'conversations_history' })
  }

  inDraft(draft: Draft, urls: readonly string[]): SharedLink {
    const unfurlId = `${draft.userId}-${this.#stamps.secret()}-${this.#stamps.secret()}`
    const { userId } = draft
    return this.#keep({
      unfurlId,
      source: 'composer',
      channelId: 'COMPOSER',
      ts: unfurlId,
      userId,
      urls,
    })
  }

  byId(unfurlId: string, source: string): SharedLink | undefined {
    return this.#told.find((one) => one.unfurlId === unfurlId && one.source === source)
  }

  at(channelId: string, ts: string): SharedLink | undefined {
    return this.#told.find((one) => one.channelId === channelId && one.ts === ts)
  }

  #keep(link: SharedLink): SharedLink {
    this.#told.push(link)
    return link
  }
}
