// What a listener gets to see of a request: who asks, where, and what they filled in.
import type { ViewResponseAction } from '@slack/bolt'
import type { SlackUser } from './ids.ts'
import type { Message } from './message.ts'
import type { Filled } from './payloads.ts'
import type { Place } from './place.ts'

/** A person of the installation. */
export interface Person extends SlackUser {
  /** Their name in Slack, raw. */
  readonly name: string
}

/** Who asks, and where. */
export interface From {
  readonly asker: Person
  readonly place: Place
}

export interface Request extends From {
  readonly triggerId: string
  /** Answers the asker alone. */
  answer(message: Message): Promise<void>
}

export interface CommandRequest extends Request {
  /** As Slack sends it, escaped. */
  readonly text: string
}

export interface ActionRequest extends Request {
  /** The button's value; looked up, never believed. */
  readonly value: string
  /** When it was pressed, by Slack's clock, in milliseconds since 1970; undefined when Slack does not say. */
  readonly pressedAt: number | undefined
  /** The view the button is in, when it is in one. */
  readonly view: { readonly id: string; readonly privateMetadata: string } | undefined
}

export interface Submission extends Request {
  readonly viewId: string
  readonly privateMetadata: string
  readonly filled: Filled
  /** Conversations chosen in the modal, each with a way to answer there. */
  readonly responseUrls: readonly { readonly channelId: string; readonly url: string }[]
  /** Answers the submission: without an argument the modal closes. To be called once, before anything slow. */
  ack(response?: ViewResponseAction): Promise<void>
}

export interface WorkspaceEvent {
  readonly workspaceId: string
  readonly event: Readonly<Record<string, unknown>>
}
