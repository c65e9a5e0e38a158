// Runs work with the asker's own token; without one, asks them to connect and keeps what they wanted.
// It does not know what waits: features hand it in and `app` says who resumes it.

import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { endsAs, isAbout } from '../log/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock, SlackUser } from '../slack/ids.ts'
import {
  type Delivery,
  keptPlace,
  keptPlaceSchema,
  type Place,
  placeFrom,
} from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { WaitingCommands } from './accounts.ts'
import type { ButtonFor } from './links.ts'
import { connectReason, renderConnectFirst } from './render.ts'
import type { Tokens } from './tokens.ts'
import type { Vault } from './vault.ts'

const waitedFor = z.object({
  /** Which feature resumes it. */
  feature: z.string(),
  /** The feature's own JSON. */
  ask: z.unknown(),
  asked: z.enum(['alert', 'grant']),
  /** The alert key, when an alert is to be read. */
  ks: z.string().optional(),
  place: keptPlaceSchema,
})

/** The service refused somebody's token (`refused`, 401), or a look-up with it (`forbidden`, 403). */
export interface Refusal {
  readonly kind: 'refused' | 'forbidden'
  /** The alert key, when an alert was to be read. */
  readonly ks: string | undefined
}

/** Told of each refusal; never rejects. Supplied by `app`. */
export type OnRefusal = (owner: SlackUser, refusal: Refusal) => Promise<void>

/** What waits for an account. `ask` must survive JSON. */
export type WaitedFor = Omit<z.infer<typeof waitedFor>, 'place'>

export interface Resumed extends WaitedFor {
  readonly place: Place
  /** Waited for longer than a command is kept. */
  readonly isOld: boolean
}

/** After this, a look-up is not done any more, and a grant is confirmed again. */
const keptMs = 15 * 60_000

export interface HowToAsk {
  /** In place of the message whose button was pressed. */
  readonly replaces?: boolean
  /** What is said instead, raw, to somebody who asked for nothing just now. */
  readonly text?: string
  /** Another way for somebody who has no account, beside *Connect account*. */
  readonly beside?: Button | undefined
  /** Another way than to where they asked, else directly. */
  readonly send?: (message: Message) => Promise<void>
}

export interface ConnectFirst {
  /**
   * @param work - Gets the token. A MonitorError `refused` from it asks to connect again, and keeps what was wanted.
   */
  withToken(
    from: From,
    wanted: WaitedFor,
    work: (token: string) => Promise<void>,
    how?: HowToAsk,
  ): Promise<void>
  /** Keeps what was wanted and asks for an account. */
  ask(from: From, wanted: WaitedFor, why: 'none' | 'refused', how?: HowToAsk): Promise<void>
  /** What waits under this id, left waiting. */
  peek(owner: SlackUser, id: string): Promise<Resumed | undefined>
  /** What waits under this id, for one caller only. */
  take(owner: SlackUser, id: string): Promise<Resumed | undefined>
}

export function createConnectFirst(room: {
  readonly tokens: Tokens
  readonly waiting: WaitingCommands
  readonly vault: Vault
  readonly delivery: Delivery
  readonly buttonFor: ButtonFor
  readonly onRefusal: OnRefusal
  readonly log: Log
  readonly now: Clock
}): ConnectFirst {
  const { tokens, waiting, vault, delivery, buttonFor, onRefusal, log, now } = room

  const ask: ConnectFirst['ask'] = async ({ asker, place }, wanted, why, how = {}) => {
    isAbout(wanted.asked)
    const { replaces = false, text, beside, send } = how
    const { workspaceId, userId } = asker
    if (why === 'refused') await onRefusal({ workspaceId, userId }, { kind: why, ks: wanted.ks })
    const id = randomUUID()
    const what = vault.seal(JSON.stringify({ ...wanted, place: keptPlace(place) }), {
      purpose: 'waiting',
      workspaceId,
      userId,
    })
    await waiting.keep({ workspaceId, userId }, { id, what, since: now() })
    const reason = text ?? connectReason(why, wanted.asked)
    const message = renderConnectFirst(await buttonFor(asker, id), reason, beside)
    log.debug({ why }, 'an account is asked for')
    await (send === undefined ? delivery.privately(place, message, { replaces }) : send(message))
    endsAs(why === 'none' ? 'connect' : 'service-refused')
  }

  function open(owner: SlackUser, kept: { what: string; since: number } | undefined): Resumed | undefined {
    if (kept === undefined) return undefined
    const { workspaceId, userId } = owner
    const opened = vault.open(kept.what, { purpose: 'waiting', workspaceId, userId })
    if (opened === undefined) return undefined
    const { place, ...wanted } = waitedFor.parse(JSON.parse(opened.text))
    return { ...wanted, place: placeFrom(place, owner), isOld: now() - kept.since > keptMs }
  }

  return {
    ask,
    async withToken(from, wanted, work, how) {
      isAbout(wanted.asked)
      const token = await tokens.find(from.asker)
      if (token === undefined) return ask(from, wanted, 'none', how)
      log.debug('a token was found')
      try {
        await work(token)
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error
        const { code } = error
        if (code === 'forbidden') await onRefusal(from.asker, { kind: code, ks: wanted.ks })
        if (code !== 'refused') throw error
        // Who has had an account needs no way beside it.
        await ask(from, wanted, 'refused', { ...how, beside: undefined })
      }
    },
    peek: async (owner, id) => open(owner, await waiting.find(owner, id)),
    take: async (owner, id) => open(owner, await waiting.take(owner, id)),
  }
}
