// A person grants access: asked first where that is called for, sent once, told what became of it.
// Joins the operation with accounts and Slack; decides nothing about either.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ConnectFirst, WaitedFor } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { Clock } from '../slack/ids.ts'
import { say } from '../slack/message.ts'
import { type Delivery, isCertainlyNotShared } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import type { Flag } from './flags.ts'
import type { GrantAccess } from './grant-access.ts'
import type { Grant, GrantOutcome, GrantRequest, Grants } from './grants.ts'
import { commandLine, isSameRequest } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import { renderReceipt, renderSending, renderShared } from './render.ts'
import { renderNeedsApproval } from './render-approval.ts'
import { askApprovalButton } from './render-ask.ts'
import { confirmReasons, renderConfirm, waitedReason } from './render-confirm.ts'

/** How an outcome is told. */
export interface Telling {
  /** With the line that does the same. */
  readonly showsLine: boolean
  /** In place of the confirmation whose button was pressed. */
  readonly replaces: boolean
}

export interface Granting {
  /**
   * Keeps a wish before anything is sent.
   * @param id - The intent's. Where another wish is kept under it already, this one gets an id of its own.
   * @returns The id under which it is kept.
   */
  keep(from: From, id: string, request: GrantRequest): Promise<string>
  /** True when it is not sent before a colleague has approved it. */
  needsApproval(request: GrantRequest): boolean
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

const gone = 'This confirmation is not open any more, and nothing was sent by it. Use /grant again.'
const underWay = 'It was sent already. What became of it is told in a moment.'

export function createGranting(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly settings: GrantSettings
  readonly approvalFlags: readonly Flag[]
  readonly now: Clock
}): Granting {
  const { grants, grantAccess, connectFirst, delivery, settings, approvalFlags, now } = room

  function flagsToApprove({ permissions }: GrantRequest): readonly Flag[] {
    return permissions.filter((flag) => approvalFlags.includes(flag))
  }

  const keep: Granting['keep'] = async ({ asker, place }, id, request) => {
    const { workspaceId, userId } = asker
    const channelId = place.isDirect ? undefined : place.channelId
    const wish = { asker: { workspaceId, userId }, request, channelId }
    await grants.ask({ ...wish, id })
    const kept = await grants.find(workspaceId, id)
    if (kept !== undefined && isSameRequest(kept.request, request)) return id
    const ownId = randomUUID()
    await grants.ask({ ...wish, id: ownId })
    return ownId
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

  /** The token was refused, so nothing was granted: the same wish waits under an id that follows from this one. */
  async function waitAgain(from: From, grant: Grant, how: Telling): Promise<void> {
    const { workspaceId } = from.asker
    const id = `${grant.id}:again`
    await grants.ask({ ...grant, id })
    const again = await grants.find(workspaceId, id)
    if (again?.state === 'asked') {
      await connectFirst.ask(from, wanted(id, how), 'refused', { replaces: how.replaces })
    }
    await grants.told(workspaceId, grant.id)
  }

  function wanted(grantId: string, how: Telling): WaitedFor {
    return { feature: 'grant', asked: 'grant', ask: { grantId, ...how } }
  }

  function isRefusedToken(outcome: GrantOutcome | undefined): boolean {
    return outcome?.kind === 'not-granted' && outcome.code === 'refused'
  }

  async function sendAskedAfter(from: From, id: string, how: Telling, askedAfter: number): Promise<void> {
    const waiting = await findOwn(from, id)
    if (waiting?.state === 'asked' && flagsToApprove(waiting.request).length > 0) {
      const offer = renderNeedsApproval(id, waiting.request, flagsToApprove(waiting.request))
      return delivery.privately(from.place, offer, { replaces: how.replaces })
    }
    const work = async (token: string) => {
      // The buttons go at once. Should that fail, the receipt comes all the same.
      const onSending = async ({ request }: Grant) => {
        if (how.replaces) {
          await delivery
            .privately(from.place, renderSending(request), { replaces: true })
            .catch(() => undefined)
        }
      }
      const granted = await grantAccess(from.asker, token, id, { askedAfter, onSending })
      if (granted.kind === 'gone') throw new UserError(gone)
      const { grant } = granted
      if (granted.kind === 'repeated') {
        return isRefusedToken(grant.outcome) ? waitAgain(from, grant, how) : undefined
      }
      const { outcome, isJoined } = granted
      if (isRefusedToken(outcome)) return waitAgain(from, grant, how)
      await receipt(from, grant, outcome, { ...how, isJoined })
    }
    await connectFirst.withToken(from, wanted(id, how), work, askApprovalButton(id))
  }

  async function findOwn({ asker }: From, id: string): Promise<Grant | undefined> {
    const grant = await grants.find(asker.workspaceId, id)
    return grant?.asker.userId === asker.userId ? grant : undefined
  }

  /** What is true of a wish that does not wait any more. */
  async function tellWhatBecame(from: From, id: string): Promise<void> {
    const grant = await findOwn(from, id)
    if (grant?.state === 'sending') return delivery.privately(from.place, say(underWay))
    if (grant?.outcome === undefined) return delivery.privately(from.place, say(gone))
    await receipt(from, grant, grant.outcome, { showsLine: false, replaces: false, isJoined: false })
  }

  return {
    keep,
    needsApproval: (request) => flagsToApprove(request).length > 0,
    confirmFirst,
    send: (from, id, how) => sendAskedAfter(from, id, how, now() - confirmableMs),
    async cancel(from, id) {
      if (!(await grants.cancel(from.asker, id))) return tellWhatBecame(from, id)
      await delivery.privately(from.place, say('Cancelled. Nothing was sent.'), { replaces: true })
    },
    async share(from, id) {
      const grant = await findOwn(from, id)
      if (grant?.outcome === undefined || grant.channelId === undefined) return
      const { asker, place } = from
      const { channelId, request, outcome } = grant
      if (!(await grants.shared(asker.workspaceId, id))) {
        throw new UserError('This is shared in the channel already.')
      }
      try {
        await delivery.announce(place, channelId, renderShared(asker.name, request, outcome))
      } catch (error) {
        if (isCertainlyNotShared(error)) await grants.notShared(asker.workspaceId, id)
        throw error
      }
    },
    async resume(from, ask, isOld) {
      const { grantId, ...how } = waitingGrant.parse(ask)
      // The message that asked to connect is gone by now, and nothing can take its place.
      if (!isOld) return sendAskedAfter(from, grantId, { ...how, replaces: false }, 0)
      // The old one must not be sent as well.
      const grant = await findOwn(from, grantId)
      if (grant === undefined || !(await grants.cancel(from.asker, grantId)))
        return tellWhatBecame(from, grantId)
      const id = await keep(from, randomUUID(), grant.request)
      const reasons = [waitedReason, ...confirmReasons(grant.request, undefined)]
      await confirmFirst(from, id, grant.request, reasons)
    },
  }
}
