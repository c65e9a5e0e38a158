// People's deeds in Slack, as deliveries to the bot: the payload, the way there, and what the answer changes.

import { optionsIn } from '../check/options.ts'
import { type Json, record, text } from '../model/json.ts'
import type {
  Channel,
  Delivery,
  DeliveryKind,
  Member,
  Message,
  ResponseUrl,
  Unfurl,
  View,
} from '../model/model.ts'
import { type Control, controlsOf } from '../model/view-state.ts'
import { eventPayload } from '../payloads/event-payloads.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import {
  commandPayload,
  inChannel,
  interactionOf,
  onMessage,
  onView,
  viewPayload,
} from '../payloads/payloads.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { suggestionProblems, takeBareAck, takeCommandAck, takeSubmissionAck } from './acks.ts'
import { ackBody, type Brought, type Courier, deliver, deliverAgain } from './deliver.ts'

/** Slack sends an event up to three times more. */
const EVENT_RETRIES = 3

export class Interactions {
  readonly #workspace: Workspace
  readonly courier: Courier

  constructor(workspace: Workspace, courier: Courier) {
    this.#workspace = workspace
    this.courier = courier
  }

  command(name: string, commandText: string, member: Member, channel: Channel): Promise<Delivery> {
    const workspace = this.#workspace
    const triggerId = this.#trigger(member, channel.id)
    const responseUrl = this.#responseUrl('command', channel.id, member)
    const command = { name, text: commandText, responseUrl, triggerId }
    return this.#send(
      'slash_commands',
      commandPayload(command, member, channel, workspace),
      (delivery) => takeCommandAck(delivery, name, member, channel, workspace),
    )
  }

  actOnMessage(
    message: Message,
    action: Json,
    member: Member,
    channel: Channel,
    unfurl?: Unfurl,
  ): Promise<Delivery> {
    const about = {
      ...onMessage(message, channel, this.#workspace, unfurl),
      trigger_id: this.#trigger(member, channel.id),
      response_url: this.#responseUrl('message', channel.id, member, message.ts),
      state: { values: {} },
      actions: [{ ...action, action_ts: this.#workspace.stamps.ts() }],
    }
    return this.#interact('block_actions', member, about, channel)
  }

  actOnView(view: View, action: Json, member: Member): Promise<Delivery> {
    const about = {
      ...onView(view, this.#workspace),
      trigger_id: this.#trigger(member, view.channelId),
      actions: [{ ...action, action_ts: this.#workspace.stamps.ts() }],
    }
    return this.#interact('block_actions', member, about, view)
  }

  submit(view: View, member: Member): Promise<Delivery> {
    const workspace = this.#workspace
    const payload = {
      type: 'view_submission',
      ...interactionOf(member, workspace, true),
      trigger_id: this.#trigger(member, view.channelId),
      view: viewPayload(view, workspace),
      response_urls: this.#chosenConversations(view, member),
    }
    return this.#send('view_submission', payload, (delivery) =>
      // A second submission may be answered when the view is gone already.
      workspace.views.modal(member.id) === view ? takeSubmissionAck(delivery, view, workspace) : [],
    )
  }

  /**
   * Somebody types into a menu of theirs that asks the bot. What it shows then stands in the view: nothing where no
   * address for that is in the manifest, where too little is typed, and for an answer that Slack can't show. It brings no
   * trigger, and no response URL.
   */
  async suggest(
    view: View,
    control: Control,
    typed: string,
    member: Member,
  ): Promise<Delivery | undefined> {
    const workspace = this.#workspace
    const show = (options: readonly Json[]) =>
      workspace.views.suggest(view, control.key, { typed, options })
    // Without a number of its own, a menu waits for three characters.
    const isEnough = typed.length >= Number(control.element.min_query_length ?? 3)
    if (!isEnough || !(this.courier.hasOptionsUrl || this.courier.socket.isConnected)) {
      show([])
      return undefined
    }
    const payload = {
      type: 'block_suggestion',
      ...interactionOf(member, workspace, true),
      ...onView(view, workspace),
      action_id: control.actionId,
      block_id: control.blockId,
      value: typed,
    }
    return this.#send('block_suggestion', payload, (delivery) => {
      const problems = suggestionProblems(delivery)
      show(problems.length === 0 ? optionsIn(ackBody(delivery)) : [])
      return problems
    })
  }

  globalShortcut(callbackId: string, member: Member): Promise<Delivery> {
    const about = {
      trigger_id: this.#trigger(member),
      action_ts: this.#workspace.stamps.ts(),
      callback_id: callbackId,
    }
    return this.#interact('shortcut', member, about, undefined)
  }

  messageShortcut(
    callbackId: string,
    message: Message,
    member: Member,
    channel: Channel,
  ): Promise<Delivery> {
    const about = {
      ...inChannel(channel),
      trigger_id: this.#trigger(member, channel.id),
      response_url: this.#responseUrl('message', channel.id, member, message.ts),
      action_ts: this.#workspace.stamps.ts(),
      callback_id: callbackId,
      message_ts: message.ts,
      message: messagePayload(message, this.#workspace),
    }
    return this.#interact('message_action', member, about, channel)
  }

  /** Whether there is, or was, a bot to send to. */
  get isReachable(): boolean {
    const { requestUrl, socket } = this.courier
    return requestUrl !== undefined || socket.isConnected || socket.wasConnected
  }

  /** Sends an event; again, with the same id, as long as it is not taken. Returns the last delivery. */
  async event(event: Json, from?: Channel): Promise<Delivery> {
    const payload = eventPayload(event, this.#workspace, from)
    let delivery = await this.#send('event', payload, () => [])
    for (let number = 1; number <= EVENT_RETRIES && delivery.outcome !== 'acked'; number += 1) {
      const reason = delivery.outcome === 'timeout' ? 'http_timeout' : 'http_error'
      delivery = await this.#send('event', payload, () => [], { number, reason })
    }
    return delivery
  }

  redeliver(delivery: Delivery): Promise<Delivery> {
    return this.#record(
      delivery,
      () => deliverAgain(delivery, this.courier),
      () => [],
    )
  }

  /** Sends what takes no answer. @param at - Where Slack complains when there is none. */
  #interact(
    kind: DeliveryKind,
    member: Member,
    about: Json,
    at: Channel | View | undefined,
  ): Promise<Delivery> {
    const workspace = this.#workspace
    const payload = {
      type: kind,
      ...interactionOf(member, workspace, kind === 'shortcut'),
      ...about,
    }
    return this.#send(kind, payload, (delivery) => takeBareAck(delivery, member, at, workspace))
  }

  #send(
    kind: DeliveryKind,
    payload: Json,
    take: (delivery: Delivery) => string[],
    retry?: { readonly number: number; readonly reason: string },
  ): Promise<Delivery> {
    const bring = () => deliver(kind, payload, this.courier, this.#workspace, retry)
    return this.#record({ kind, payload }, bring, take)
  }

  #record(
    { kind, payload }: Pick<Delivery, 'kind' | 'payload'>,
    bring: () => Promise<Brought>,
    take: (delivery: Delivery) => string[],
  ): Promise<Delivery> {
    const { changes, deliveries, options } = this.#workspace
    return changes.during(async () => {
      const started = { kind, payload, startedAt: options.clock() }
      changes.tell({ kind: 'delivery_started', delivery: started })
      const brought = Object.assign(started, await bring(), { problems: [] })
      const delivery = Object.assign(brought, { problems: take(brought) })
      deliveries.push(delivery)
      changes.tell({ kind: 'delivery', delivery })
      return delivery
    })
  }

  /** @param channelId - Where the person is; undefined from a global shortcut. */
  #trigger({ id }: Member, channelId?: string): string {
    return this.#workspace.triggers.issue(id, { channelId })
  }

  #responseUrl(
    kind: ResponseUrl['kind'],
    channelId: string,
    member: Member,
    messageTs?: string,
  ): string {
    const from = { kind, channelId, userId: member.id, messageTs }
    return this.courier.origin + this.#workspace.responseUrls.issue(from).path
  }

  /** Response urls for the conversations chosen in inputs that ask for them. */
  #chosenConversations(view: View, member: Member): Json[] {
    return controlsOf(view.content).flatMap(({ element, blockId, actionId }) => {
      const value = record(view.typed.get(blockId)?.get(actionId))
      const chosen = text(value.selected_conversation) ?? text(value.selected_channel)
      if (element.response_url_enabled !== true || chosen === undefined) return []
      const { channels, members } = this.#workspace
      const isPerson = !channels.has(chosen) && members.has(chosen)
      const channelId = isPerson ? this.#workspace.directMessage(member.id, chosen).id : chosen
      const url = this.#responseUrl('view', channelId, member)
      return [{ block_id: blockId, action_id: actionId, channel_id: channelId, response_url: url }]
    })
  }
}
