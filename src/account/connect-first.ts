// Runs work with the asker's own token; without one, asks them to connect and keeps what they wanted.
// It does not know what waits: features hand it in and `app` says who resumes it.
import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import type { Clock, SlackUser } from '../slack/ids.ts'
import type { Delivery, Place } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import { connectReason, renderConnectFirst } from './render.ts'
import type { Tokens } from './tokens.ts'
import type { Vault } from './vault.ts'
import type { WaitingCommands } from './waiting.ts'

const waitedFor = z.object({
  /** Which feature resumes it. */
  feature: z.string(),
  /** The feature's own JSON. */
  ask: z.unknown(),
  asked: z.enum(['alert', 'grant']),
  /** The alert key, when an alert is to be read. */
  ks: z.string().optional(),
  place: z.object({
    userId: z.string(),
    channelId: z.string().optional(),
    responseUrl: z.string().optional(),
    isDirect: z.boolean(),
    pressedTs: z.string().optional(),
  }),
})

/** What waits for an account. `ask` must survive JSON. */
export type WaitedFor = Omit<z.infer<typeof waitedFor>, 'place'>

export interface Resumed extends WaitedFor {
  readonly place: Place
  /** Waited for longer than a command is kept. */
  readonly isOld: boolean
}

/** After this, a look-up is not done any more, and a grant is confirmed again. */
const keptMs = 15 * 60_000

export interface ConnectFirst {
  /**
   * @param work - Gets the token. A MonitorError `refused` from it asks to connect again, and keeps what was wanted.
   * @param beside - Another way for somebody who has no account, beside *Connect account*.
   */
  withToken(
    from: From,
    wanted: WaitedFor,
    work: (token: string) => Promise<void>,
    beside?: Button,
  ): Promise<void>
  /**
   * Keeps what was wanted and asks for an account.
   * @param how.replaces - In place of the message whose button was pressed.
   * @param how.text - What is said instead, raw, to somebody who asked for nothing just now.
   * @param how.beside - Another button.
   */
  ask(
    from: From,
    wanted: WaitedFor,
    why: 'none' | 'refused',
    how?: { readonly replaces?: boolean; readonly text?: string; readonly beside?: Button | undefined },
  ): Promise<void>
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
  readonly now: Clock
}): ConnectFirst {
  const { tokens, waiting, vault, delivery, now } = room

  const ask: ConnectFirst['ask'] = async (
    { asker, place },
    wanted,
    why,
    { replaces = false, text, beside } = {},
  ) => {
    const { workspaceId, userId } = asker
    const id = randomUUID()
    const what = vault.seal(JSON.stringify({ ...wanted, place }), { purpose: 'waiting', workspaceId, userId })
    await waiting.keep({ workspaceId, userId }, { id, what, since: now() })
    await delivery.privately(
      place,
      renderConnectFirst(id, text ?? connectReason(why, wanted.asked), beside),
      { replaces },
    )
  }

  function open(owner: SlackUser, kept: { what: string; since: number } | undefined): Resumed | undefined {
    if (kept === undefined) return undefined
    const { workspaceId, userId } = owner
    const opened = vault.open(kept.what, { purpose: 'waiting', workspaceId, userId })
    if (opened === undefined) return undefined
    const { place, ...wanted } = waitedFor.parse(JSON.parse(opened.text))
    const { channelId, responseUrl } = place
    return { ...wanted, place: { ...place, channelId, responseUrl }, isOld: now() - kept.since > keptMs }
  }

  return {
    ask,
    async withToken(from, wanted, work, beside) {
      const token = await tokens.find(from.asker)
      if (token === undefined) return ask(from, wanted, 'none', { beside })
      try {
        await work(token)
      } catch (error) {
        if (!(error instanceof MonitorError) || error.code !== 'refused') throw error
        await ask(from, wanted, 'refused')
      }
    },
    peek: async (owner, id) => open(owner, await waiting.find(owner, id)),
    take: async (owner, id) => open(owner, await waiting.take(owner, id)),
  }
}
