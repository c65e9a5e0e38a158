// A person who writes: messages, words that are not sent yet, and what opens without a word. Pressing is `person.ts`.
import { randomUUID } from 'node:crypto'
import type { Events } from '../deliver/events.ts'
import type { Channel, Delivery, Member } from '../model/model.ts'
import { viewPayload } from '../payloads/payloads.ts'
import { escapeMessageText } from '../text/command-text.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { Onlooker } from './onlooker.ts'
import { SeenMessage } from './seen.ts'

export interface Writing {
  /** Leave the text as it is: no `<@U…>`, `<https://…>`, `&amp;`. */
  readonly raw?: boolean
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

  /** Types a message without sending it. Undefined when the bot is told of no link in it. */
  drafts(text: string, { id }: Channel, options: Writing = {}): Promise<Delivery | undefined> {
    return this.#events.drafted({
      channelId: id,
      userId: this.id,
      text: this.#written(text, options),
    })
  }

  /** Opens the app's Home tab. Undefined when the bot is not told: it is not subscribed to `app_home_opened`. */
  opensHome(): Promise<Delivery | undefined> {
    const home = this.workspace.views.home(this.id)
    return this.#events.opened(this.id, this.dm, home && viewPayload(home, this.workspace))
  }

  #written(text: string, { raw = false }: Writing): string {
    const { members, channels } = this.workspace
    return raw ? text : escapeMessageText(text, members.values(), channels.values())
  }
}
