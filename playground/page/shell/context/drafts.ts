// Lines of the message boxes: drafts per channel and thread, and what each person sent before.

const LINES = 100

export class Drafts {
  readonly #drafts = new Map<string, string>()
  readonly #sent = new Map<string, readonly string[]>()

  draft(key: string): string {
    return this.#drafts.get(key) ?? ''
  }

  keep(key: string, line: string): void {
    this.#drafts.set(key, line)
  }

  /** Oldest first. */
  sentBy(personId: string): readonly string[] {
    return this.#sent.get(personId) ?? []
  }

  addSent(personId: string, line: string): void {
    const lines = this.sentBy(personId)
    if (lines.at(-1) !== line) this.#sent.set(personId, [...lines, line].slice(-LINES))
  }
}

/** Names a box: each person has one for each channel and each thread. */
export function draftKey(personId: string, channelId: string, threadTs?: string): string {
  return [personId, channelId, threadTs ?? ''].join(' ')
}
