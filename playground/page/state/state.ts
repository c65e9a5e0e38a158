// The state that the server and the page share, and what the page can ask for. Types only.
import type { Json } from '../../slack/model/json.ts'

/** Everything one person sees, sent anew after a change (event `state`). */
export interface PageState extends ViewsState {
  readonly viewer: PersonState
  /** Those one can act as. */
  readonly people: readonly PersonState[]
  /** What this person's sidebar lists: channels first, then the direct message with the bot. */
  readonly channels: readonly ChannelState[]
  /** Names for `<@U…>` and `<#C…>`, everybody's, by id. */
  readonly names: Readonly<Record<string, string>>
  /** All that this person sees in those channels, replies too, oldest first. */
  readonly messages: readonly MessageState[]
  readonly commands: readonly Command[]
  readonly shortcuts: readonly Shortcut[]
  /** Of the stand-in service. */
  readonly alerts: readonly AlertState[]
  readonly troubles: readonly TroubleState[]
  /** Milliseconds by which the playground's clock is ahead of the real one. */
  readonly aheadMs: number
}

/** The part that changes with every key in a form, sent by itself then (event `views`). */
export interface ViewsState {
  /** The open modal; none is. */
  readonly modals: readonly ViewState[]
  readonly home: HomeState
}

export interface PersonState {
  readonly id: string
  readonly name: string
  readonly realName: string
  /** Their rights at the service, in a few words. */
  readonly rights: string
  /** They are not connected when the playground starts. */
  readonly isNew: boolean
  /** What they would paste into *Connect account*. Good at the stand-in service only. */
  readonly demoToken: string
}

export interface ChannelState {
  readonly id: string
  /** Without `#`; the bot's name for the direct message. */
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
  /** What menus of conversations hold for it. */
  readonly chosenAs: string
  readonly hasBot: boolean
}

export interface MessageState {
  readonly channelId: string
  readonly ts: string
  readonly threadTs: string | undefined
  /** A reply that was also sent to the channel. */
  readonly isBroadcast: boolean
  readonly authorId: string
  readonly author: string
  /** Written by an app, not by a person. */
  readonly isApp: boolean
  /** By Bellhop itself: its controls are heard by the bot. */
  readonly isBellhop: boolean
  /** mrkdwn. */
  readonly text: string
  /** Block Kit, ids filled in; empty when the text is the message. */
  readonly blocks: readonly Json[]
  /** Legacy ones, of other apps. */
  readonly attachments: readonly Json[]
  /** What Bellhop attached to links in it. */
  readonly unfurls: readonly UnfurlState[]
  readonly isEphemeral: boolean
  readonly isEdited: boolean
}

export interface UnfurlState {
  /** Within its message. */
  readonly id: number
  /** A legacy attachment, or one of blocks, ids filled in. */
  readonly attachment: Json
}

export interface ViewState {
  readonly id: string
  readonly title: string
  /** What stands on the buttons below; undefined without a submit button. */
  readonly submit: string | undefined
  readonly close: string
  readonly blocks: readonly Json[]
  /** Block id → action id → the value as `state.values` holds it. */
  readonly values: Values
  readonly suggested: Suggestions
  /** Sentences under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>
  /** Slack's own complaint. */
  readonly trouble: string | undefined
}

export type Values = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** `<block id> <action id>` → what is typed, and what the bot suggests for it. */
export type Suggestions = Readonly<
  Record<string, { readonly typed: string; readonly options: readonly Json[] }>
>

export interface HomeState {
  /** False where the app's manifest has no Home tab. */
  readonly isEnabled: boolean
  /** As published for this person; undefined before the first time. */
  readonly view: ViewState | undefined
}

export interface Command {
  /** With its slash. */
  readonly name: string
  readonly description: string
  readonly usageHint: string
}

export interface Shortcut {
  readonly callbackId: string
  readonly name: string
  readonly description: string
  readonly kind: 'message' | 'global'
}

export interface AlertState {
  readonly ks: string
  readonly message: string
  /** Its name; undefined where it is on none, or on one without a name. */
  readonly machine: string | undefined
  readonly severity: number
  readonly isClosed: boolean
  /** Made to be hard to show, and nothing that anybody would meet. */
  readonly isEdgeCase: boolean
}

/** One entry of the menu “Trouble”. */
export interface TroubleState {
  readonly id: string
  readonly group: 'The service' | 'Slack' | 'The bot' | 'The clock'
  readonly label: string
  /** What to do to see it, in one sentence. */
  readonly hint: string
  /** `once`: goes off by itself when it has happened; `at once`: has happened as soon as it is pressed. */
  readonly lasts: 'until switched off' | 'once' | 'at once'
  readonly isOn: boolean
  /** Of one that is switched in each channel by itself: ids of those where it is on. */
  readonly places?: readonly string[] | undefined
}

/** One thing that a person did (or the bot by itself), and the requests that followed (event `happening`). */
export interface Happening {
  readonly id: number
  /** Such as `alice typed /alert disk-full in #on-call`. */
  readonly what: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isUnderWay: boolean
  readonly steps: readonly Step[]
}

export interface Step {
  readonly id: number
  readonly from: 'slack' | 'bot'
  readonly to: 'bot' | 'service' | 'slack'
  /** `/alert`, `GET /alert/disk-full`, `chat.postMessage`. */
  readonly title: string
  /** Milliseconds from the start of the happening to the start of the request. */
  readonly afterMs: number
  /** Undefined while it is under way. */
  readonly tookMs: number | undefined
  /** `ack`, `200`, `ok`, `invalid_blocks`, `no answer`; undefined while it is under way. */
  readonly outcome: string | undefined
  readonly isRefused: boolean
  /** Slack's words on what it refused; empty when it did not. */
  readonly refusals: readonly string[]
  /** To be opened: what was sent and what came back. Secrets are masked. */
  readonly details: readonly { readonly label: string; readonly json: unknown }[]
}

/** The gallery, which has no server. */
export interface GalleryState {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly names: Readonly<Record<string, string>>
  readonly rooms: readonly { readonly title: string; readonly exhibits: readonly ExhibitState[] }[]
}

/** One of message, modal and home. */
export interface ExhibitState {
  readonly name: string
  readonly when: string
  readonly message?: MessageState
  readonly modal?: ViewState
  readonly home?: ViewState
}
