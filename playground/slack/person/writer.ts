// A person who writes: messages, words that are not sent yet, and what opens without a word. Pressing is `person.ts`.
import { randomUUID } from 'node:crypto'
import type { Events } from '../deliver/events.ts'
import type { Channel, Delivery, Member } from '../model/model.ts'
import { escapeMessageText } from '../text/command-text.ts'
import type { Draft } from '../workspace/shared-links.ts'
import { viewPayload } from '../workspace/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { Onlooker } from './onlooker.ts'
import { SeenMessage } from './seen.ts'
import { SeenUnfurl } from './seen-unfurl.ts'

export interface Writing {
  /** Leave the text as it is: no `<@U…>`, `<https://…>`, `&amp;`. */
  readonly raw?: boolean
}

/** What somebody has typed and not sent. */
export interface Drafted {
  /** Of the links in it; undefined when the bot was told of none. */
  readonly delivery: Delivery | undefined
  /** What hangs beneath its links by now. */
  readonly unfurls: readonly SeenUnfurl[]
}

export class Writer extends Onlooker {
  readonly #events: Events

  constructor(member: Member, workspace: Workspace, events: Events) {
    super(member, workspace)
    this.#events = events
  }

  /**
   * Writes an ordinary message, into a thread when one is given. `@bellhop` becomes a mention, an address a link.
   * The bot is told what it is subscribed to; `writes` waits for that.
   */
  says(text: string, where: Channel | SeenMessage, options: Writing = {}): SeenMessage {
    const thread = where instanceof SeenMessage ? where.message : undefined
    const channelId = where instanceof SeenMessage ? where.message.channelId : where.id
    const written = this.#written(text, options)
    const message = this.workspace.post({
      channelId,
      authorId: this.id,
      text: written,
      threadTs: thread?.threadTs ?? thread?.ts,
      clientMsgId: this.member.isBot ? undefined : randomUUID(),
      unfurls: this.workspace.sharedLinks.draftOf(this.id, channelId, written)?.unfurls,
      via: 'person',
    })
    return new SeenMessage(message, this.member, this.workspace)
  }

  /** Writes a message and waits until the bot has taken what it was told of it. */
  async writes(
    text: string,
    where: Channel | SeenMessage,
    options: Writing = {},
  ): Promise<{ readonly message: SeenMessage; readonly deliveries: readonly Delivery[] }> {
    const message = this.says(text, where, options)
    return { message, deliveries: await this.#events.ofMessage(message.message) }
  }

  /** Types a message without sending it. Sent in the same words, it keeps what hangs beneath its links. */
  async drafts(text: string, channel: Channel, options: Writing = {}): Promise<Drafted> {
    const written = this.#written(text, options)
    const draft: Draft = { channelId: channel.id, userId: this.id, text: written, unfurls: [] }
    const delivery = await this.#events.drafted(draft)
    const { member, workspace } = this
    return {
      delivery,
      get unfurls() {
        return draft.unfurls.map((one) => new SeenUnfurl(one, undefined, member, workspace))
      },
    }
  }

  /** Opens the app's Home tab. Undefined when the bot is not told: it is not subscribed to `app_home_opened`. */
  opensHome(): Promise<Delivery | undefined> {
    const home = this.workspace.views.home(this.id)
    return this.#events.opened(this.id, this.dm, 'home', home && viewPayload(home, this.workspace))
  }

  /** Opens the direct message with the bot: the same event, at another tab. */
  opensMessages(): Promise<Delivery | undefined> {
    return this.#events.opened(this.id, this.dm, 'messages')
  }

  /** Presses "Never ask me again" in what chat.unfurl shows of itself: from now on it answers `cannot_prompt`. */
  mutesUnfurlPrompts(): void {
    this.workspace.sharedLinks.mutedBy.add(this.id)
  }

  #written(text: string, { raw = false }: Writing): string {
    const { members, channels } = this.workspace
    return raw ? text : escapeMessageText(text, members.values(), channels.values())
  }
}
