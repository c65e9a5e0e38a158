// The data of the stand-in workspace; `workspace.ts` keeps it.
import type { Json } from './json.ts'

export interface Member {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** What Slack shows; empty where somebody has set none. */
  readonly displayName: string
  readonly email: string | undefined
  /** IANA name. */
  readonly tz: string
  /** Undefined: yes. */
  readonly isEmailConfirmed?: boolean
  readonly isBot: boolean
  readonly isGuest: boolean
  /** Of the workspace. */
  readonly isAdmin: boolean
  isDeleted: boolean
  /** Another organisation's when this person comes from a Slack Connect channel. */
  readonly teamId: string
  /** Of the organisation that their workspace is part of. */
  readonly enterpriseId: string | undefined
}

export type ChannelKind = 'public' | 'private' | 'im'

export interface Channel {
  readonly id: string
  readonly name: string
  readonly kind: ChannelKind
  /** User ids, the bot's among them when it was invited. */
  readonly members: Set<string>
  isShared: boolean
  isArchived: boolean
  /** Unix seconds. */
  readonly created: number
}

/** What the bot attached to a link: drawn beneath the message that holds the link. */
export interface Unfurl {
  /** Counts from 1 within its message. */
  readonly id: number
  readonly url: string
  /** A legacy attachment, or one of blocks, as sent, with ids filled in. */
  readonly attachment: Json
}

export interface Message {
  readonly ts: string
  readonly channelId: string
  readonly authorId: string
  /** Set on everything the bot wrote, by whatever way. */
  readonly byBot: boolean
  /** As sent, not interpreted. */
  text: string
  blocks: readonly Json[]
  /** Legacy attachments of other apps, as sent. */
  readonly attachments: readonly Json[]
  unfurls: readonly Unfurl[]
  /** The other app that wrote it by a webhook; it is nobody's user. */
  readonly app?: { readonly botId: string; readonly appId: string } | undefined
  /** The name it stands under, where that is not its author's. */
  readonly postedAs?: string | undefined
  /** Slack's clients give one to what people write. */
  readonly clientMsgId?: string | undefined
  readonly threadTs?: string | undefined
  /** The only person who sees it, when it is ephemeral. */
  readonly ephemeralFor?: string | undefined
  /** An ephemeral reply where no thread was yet: Slack takes it and shows it to nobody. */
  readonly isLost: boolean
  readonly broadcast: boolean
  editedTs?: string
  isDeleted: boolean
  /** Whom it notifies, in the words it used: `<!channel>`, `<@U…>`, `@here`. Empty when nobody. */
  pings: readonly string[]
  /** How it came: a method, `response_url`, `ack`, or a person. */
  readonly via: string
}

/** A modal view that is open, or the Home tab. */
export interface View {
  readonly id: string
  readonly userId: string
  readonly type: 'modal' | 'home'
  hash: string
  /** As sent, with block and action ids filled in. */
  content: Json
  /** The channel the person was in, for `default_to_current_conversation`. */
  readonly channelId: string | undefined
  /** What was typed and chosen: block id → action id → value. */
  readonly typed: Map<string, Map<string, Json>>
  /** What menus that ask the bot show as they are typed into, by `key` of their control. */
  readonly suggested: Map<string, Suggested>
  /** Shown under inputs: block id → sentence. */
  errors: ReadonlyMap<string, string>
  /** Slack's own complaint when the bot did not answer. */
  trouble: string | undefined
}

/** What a menu shows for what is typed into it. */
export interface Suggested {
  readonly typed: string
  /** As the bot has given them; those of groups one after the other. */
  readonly options: readonly Json[]
}

export interface Trigger {
  readonly id: string
  readonly userId: string
  readonly issuedAt: number
  readonly channelId: string | undefined
  isUsed: boolean
}

export interface ResponseUrl {
  readonly path: string
  readonly kind: 'command' | 'message' | 'view'
  readonly channelId: string
  readonly userId: string
  /** The message whose button was pressed. */
  readonly messageTs: string | undefined
  readonly issuedAt: number
  uses: number
}

/** A call of the bot that is not answered yet. The same object becomes the `Call`. */
export interface StartedCall {
  readonly method: string
  /** Such as `/api/chat.postMessage`. The last part of a response_url's is as good as a password. */
  readonly path: string
  /** Parsed arguments; tokens are masked. */
  readonly args: Json
  /** By the simulator's clock. */
  readonly startedAt: number
}

/** One call of the bot, to a method of the Web API or to a response_url (`method: 'response_url'`). */
export interface Call extends StartedCall {
  /** 0 when the connection was cut instead. */
  readonly status: number
  readonly answer: Json
  /** Real milliseconds. */
  readonly tookMs: number
}

export type DeliveryKind =
  | 'slash_commands'
  | 'block_actions'
  | 'view_submission'
  | 'shortcut'
  | 'message_action'
  | 'block_suggestion'
  | 'event'

/** Something that Slack is sending to the bot. The same object becomes the `Delivery`. */
export interface StartedDelivery {
  readonly kind: DeliveryKind
  readonly payload: Json
  /** By the simulator's clock. */
  readonly startedAt: number
}

/** One thing Slack sent to the bot, and what came of it. */
export interface Delivery extends StartedDelivery {
  readonly via: 'http' | 'socket'
  /** The signed request, for `redeliver`. Undefined over Socket Mode. */
  readonly request:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | undefined
  readonly outcome: 'acked' | 'refused' | 'timeout' | 'unreachable'
  /** HTTP status; 200 for a socket's ack; undefined without an answer. */
  readonly status: number | undefined
  /** The ack's body as text, possibly empty. */
  readonly body: string
  /** Undefined without an answer. */
  readonly ackedMs: number | undefined
  /** Real milliseconds until the answer, or until Slack gave up. */
  readonly tookMs: number
  /** What Slack did not accept of the ack's body, in Slack's words. Empty when all is well. */
  readonly problems: readonly string[]
}

/** What `onChange` listeners hear. */
export type Change =
  | { readonly kind: 'message' | 'message_deleted'; readonly message: Message }
  | { readonly kind: 'message_changed'; readonly message: Message; readonly previous: Message }
  | { readonly kind: 'view'; readonly userId: string }
  | { readonly kind: 'call_started'; readonly call: StartedCall }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'delivery_started'; readonly delivery: StartedDelivery }
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  | { readonly kind: 'socket'; readonly isConnected: boolean }
  | { readonly kind: 'member'; readonly member: Member }
  | { readonly kind: 'channel'; readonly channel: Channel }
