// People's deeds in Slack, as deliveries to the bot: the payload, the way there, and what the answer changes.

import { optionsIn } from '../check/options.ts'
import { type Json, record, text } from '../model/json.ts'
import type { Channel, Delivery, DeliveryKind, Member, Message, Unfurl, View } from '../model/model.ts'
import { type Control, controlsOf } from '../model/view-state.ts'
import { eventPayload } from '../payloads/event-payloads.ts'
import {
  commandPayload,
  globalShortcutPayload,
  messageActionsPayload,
  messageShortcutPayload,
  submissionPayload,
  suggestionPayload,
  viewActionsPayload,
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
    const triggerId = workspace.triggers.issue(member.id, { channelId: channel.id })
    const responseUrl = this.#responseUrl('command', channel, member)
    const payload = commandPayload(
      { name, text: commandText, responseUrl, triggerId },
      member,
      channel,
      workspace,
    )
    return this.#send('slash_commands', payload, (delivery) =>
      takeCommandAck(delivery, name, member, channel, workspace),
    )
  }

  actOnMessage(
    message: Message,
    action: Json,
    state: Json,
    member: Member,
    channel: Channel,
    unfurl?: Unfurl,
  ): Promise<Delivery> {
    const workspace = this.#workspace
    const payload = messageActionsPayload(
      message,
      [{ ...action, action_ts: workspace.stamps.ts() }],
      {
        member,
        state,
        unfurl,
        responseUrl: this.#responseUrl('message', channel, member, message.ts),
        triggerId: workspace.triggers.issue(member.id, { channelId: channel.id }),
      },
      channel,
      workspace,
    )
    return this.#send('block_actions', payload, (delivery) =>
      takeBareAck(delivery, member, channel, workspace),
    )
  }

  actOnView(view: View, action: Json, member: Member): Promise<Delivery> {
    const workspace = this.#workspace
    const triggerId = workspace.triggers.issue(member.id, { channelId: view.channelId })
    const acted = { ...action, action_ts: workspace.stamps.ts() }
    const payload = viewActionsPayload(view, [acted], member, triggerId, workspace)
    return this.#send('block_actions', payload, (delivery) => takeBareAck(delivery, member, view, workspace))
  }

  submit(view: View, member: Member): Promise<Delivery> {
    const workspace = this.#workspace
    const triggerId = workspace.triggers.issue(member.id, { channelId: view.channelId })
    const payload = submissionPayload(
      view,
      member,
      triggerId,
      this.#chosenConversations(view, member),
      workspace,
    )
    return this.#send('view_submission', payload, (delivery) =>
      // A second submission may be answered when the view is gone already.
      workspace.views.stack(member.id).includes(view) ? takeSubmissionAck(delivery, view, workspace) : [],
    )
  }

  /**
   * Somebody types into a menu of theirs that asks the bot. What it shows then stands in the view: nothing where no
   * address for that is in the manifest, where too little is typed, and for an answer that Slack can't show.
   */
  async suggest(view: View, control: Control, typed: string, member: Member): Promise<Delivery | undefined> {
    const workspace = this.#workspace
    const show = (options: readonly Json[]) => workspace.views.suggest(view, control.key, { typed, options })
    // Without a number of its own, a menu waits for three characters.
    const isEnough = typed.length >= Number(control.element.min_query_length ?? 3)
    if (!isEnough || !(this.courier.hasOptionsUrl || this.courier.socket.isConnected)) {
      show([])
      return undefined
    }
    const payload = suggestionPayload(view, control, typed, member, workspace)
    return this.#send('block_suggestion', payload, (delivery) => {
      const problems = suggestionProblems(delivery)
      show(problems.length === 0 ? optionsIn(ackBody(delivery)) : [])
      return problems
    })
  }

  close(view: View): void {
    this.#workspace.views.close(view)
  }

  globalShortcut(callbackId: string, member: Member): Promise<Delivery> {
    const triggerId = this.#workspace.triggers.issue(member.id)
    const payload = globalShortcutPayload(callbackId, triggerId, member, this.#workspace)
    return this.#send('shortcut', payload, (delivery) =>
      takeBareAck(delivery, member, undefined, this.#workspace),
    )
  }

  messageShortcut(callbackId: string, message: Message, member: Member, channel: Channel): Promise<Delivery> {
    const given = {
      member,
      responseUrl: this.#responseUrl('message', channel, member, message.ts),
      triggerId: this.#workspace.triggers.issue(member.id, { channelId: channel.id }),
    }
    const payload = messageShortcutPayload(callbackId, message, given, channel, this.#workspace)
    return this.#send('message_action', payload, (delivery) =>
      takeBareAck(delivery, member, channel, this.#workspace),
    )
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

  #responseUrl(kind: 'command' | 'message', channel: Channel, member: Member, messageTs?: string): string {
    const from = { kind, channelId: channel.id, userId: member.id, messageTs }
    return this.#origin + this.#workspace.responseUrls.issue(from).path
  }

  /** Response urls for the conversations chosen in inputs that ask for them. */
  #chosenConversations(view: View, member: Member): Json[] {
    return controlsOf(view.content).flatMap(({ element, blockId, actionId }) => {
      const value = record(view.typed.get(blockId)?.get(actionId))
      const chosen = text(value.selected_conversation) ?? text(value.selected_channel)
      if (element.response_url_enabled !== true || chosen === undefined) return []
      const { channels, members } = this.#workspace
      const channelId =
        channels.has(chosen) || !members.has(chosen)
          ? chosen
          : this.#workspace.directMessage(member.id, chosen).id
      const from = { kind: 'view', channelId, userId: member.id, messageTs: undefined } as const
      const url = this.#origin + this.#workspace.responseUrls.issue(from).path
      return [{ block_id: blockId, action_id: actionId, channel_id: channelId, response_url: url }]
    })
  }

  get #origin(): string {
    return this.courier.origin
  }
}
