// A person grants access: asked first where that is called for, sent once, told what became of it.
// Joins the operation with accounts and Slack; decides nothing about either.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ConnectFirst, WaitedFor } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { Clock } from '../slack/ids.ts'
import { say } from '../slack/message.ts'
import type { Delivery, Place } from '../slack/place.ts'
import type { Person } from '../slack/requests.ts'
import type { GrantAccess } from './grant-access.ts'
import type { Grant, GrantOutcome, GrantRequest, Grants } from './grants.ts'
import { commandLine, type GrantSettings } from './input.ts'
import { renderConfirm, renderReceipt, renderShared } from './render.ts'

export interface From {
  readonly asker: Person
  readonly place: Place
}

/** How an outcome is told. */
export interface Telling {
  /** With the line that does the same. */
  readonly showsLine: boolean
  /** In place of the confirmation whose button was pressed. */
  readonly replaces: boolean
}

export interface Granting {
  /** Keeps a wish under this id; nothing is sent yet. */
  keep(from: From, id: string, request: GrantRequest): Promise<void>
  /** Shows a confirmation for a wish that is kept. */
  confirmFirst(from: From, id: string, request: GrantRequest, reasons: readonly string[]): Promise<void>
  /** Sends a wish that is kept, and tells the outcome. */
  send(from: From, id: string, how: Telling): Promise<void>
  cancel(from: From, id: string): Promise<void>
  share(from: From, id: string): Promise<void>
  /** Goes on after an account was connected. @param isOld - It waited so long that it is confirmed again. */
  resume(from: From, ask: unknown, isOld: boolean): Promise<void>
}

/** How long a confirmation can be answered. */
const confirmableMs = 60 * 60_000

const waitingGrant = z.object({ grantId: z.string(), showsLine: z.boolean(), replaces: z.boolean() })

const gone = 'This does not wait any more, so nothing was sent. Use /grant again.'

export function createGranting(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly settings: GrantSettings
  readonly now: Clock
}): Granting {
  const { grants, grantAccess, connectFirst, delivery, settings, now } = room

  const keep: Granting['keep'] = async ({ asker, place }, id, request) => {
    const { workspaceId, userId } = asker
    const channelId = place.isDirect ? undefined : place.channelId
    await grants.ask({ id, asker: { workspaceId, userId }, request, channelId })
  }

  const confirmFirst: Granting['confirmFirst'] = ({ place }, id, request, reasons) =>
    delivery.privately(place, renderConfirm(id, request, reasons))

  async function receipt(
    { place }: From,
    grant: Grant,
    outcome: GrantOutcome,
    how: Telling & { readonly isJoined: boolean },
  ): Promise<void> {
    const { id, request, channelId, asker } = grant
    const message = renderReceipt(id, request, outcome, {
      canShare: channelId !== undefined,
      line: how.showsLine ? commandLine(request, settings) : undefined,
      note: how.isJoined ? 'You asked for the same a moment ago; it was sent once.' : undefined,
    })
    await delivery.privately(place, message, { replaces: how.replaces })
    await grants.told(asker.workspaceId, id)
  }

  /** The token was refused, so nothing was granted: the same wish waits under a new id. */
  async function waitAgain(from: From, grant: Grant, how: Telling): Promise<void> {
    const { workspaceId } = from.asker
    const id = randomUUID()
    await grants.ask({ ...grant, id })
    await connectFirst.ask(from, wanted(id, how), 'refused')
    await grants.told(workspaceId, grant.id)
  }

  function wanted(grantId: string, how: Telling): WaitedFor {
    return { feature: 'grant', asked: 'grant', ask: { grantId, ...how } }
  }

  async function sendAskedAfter(from: From, id: string, how: Telling, askedAfter: number): Promise<void> {
    await connectFirst.withToken(from, wanted(id, how), async (token) => {
      const granted = await grantAccess(from.asker, token, id, askedAfter)
      if (granted.kind === 'gone') throw new UserError(gone)
      if (granted.kind === 'repeated') return
      const { grant, outcome, isJoined } = granted
      if (outcome.kind === 'not-granted' && outcome.code === 'refused') {
        return waitAgain(from, grant, how)
      }
      await receipt(from, grant, outcome, { ...how, isJoined })
    })
  }

  async function findOwn({ asker }: From, id: string): Promise<Grant | undefined> {
    const grant = await grants.find(asker.workspaceId, id)
    return grant?.asker.userId === asker.userId ? grant : undefined
  }

  return {
    keep,
    confirmFirst,
    send: (from, id, how) => sendAskedAfter(from, id, how, now() - confirmableMs),
    async cancel({ asker, place }, id) {
      const isCancelled = await grants.cancel(asker, id)
      const words = say(isCancelled ? 'Cancelled. Nothing was sent.' : gone)
      await delivery.privately(place, words, { replaces: true })
    },
    async share(from, id) {
      const grant = await findOwn(from, id)
      if (grant?.outcome === undefined || grant.channelId === undefined) return
      const { asker, place } = from
      const { channelId, request, outcome } = grant
      if (!(await grants.shared(asker.workspaceId, id)))
        throw new UserError('This is shared in the channel already.')
      try {
        await delivery.announce(place, channelId, renderShared(asker.name, request, outcome))
      } catch (error) {
        await grants.notShared(asker.workspaceId, id)
        throw error
      }
    },
    async resume(from, ask, isOld) {
      const { grantId, ...how } = waitingGrant.parse(ask)
      if (!isOld) return sendAskedAfter(from, grantId, how, 0)
      const grant = await findOwn(from, grantId)
      if (grant?.state !== 'asked') throw new UserError(gone)
      const id = randomUUID()
      await keep(from, id, grant.request)
      await confirmFirst(from, id, grant.request, [
        'You asked for this a while ago. Is it still what you want?',
      ])
    },
  }
}
