// One person is granted access: sent once, told what became of it.
import type { ConnectFirst } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { leaseMs, renewing } from '../work/lease.ts'
import type { GrantAccess } from './grant-access.ts'
import {
  type GrantingSteps,
  goneWords,
  isRest,
  joinedNote,
  orLeaveUntold,
  type Telling,
  underWay,
  wanted,
} from './granting-steps.ts'
import type { Grant, GrantOutcome, Grants } from './grants.ts'
import { commandLine, isSameWish } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import type { MarkTold } from './mark-told.ts'
import { doubtedNote, renderReceipt, renderShared } from './render.ts'
import { askApprovalButton } from './render-ask.ts'
import { renderSending } from './render-wish.ts'
import { besideStory, type ShareMark, type Sharing } from './sharing.ts'
import { noteOutcome, type Tally } from './tally.ts'
import { isForbidden, requestsOf, wishOf } from './wishes.ts'

export function createGrantingOne(room: {
  readonly grants: Grants
  readonly grantAccess: GrantAccess
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly sharing: Sharing
  readonly markTold: MarkTold
  readonly tally: Tally
  readonly settings: GrantSettings
}): GrantingSteps {
  const { grants, grantAccess, connectFirst, delivery, sharing, markTold, tally, settings } = room

  function shareMark({ id, asker: { workspaceId } }: Grant): ShareMark {
    return { set: () => grants.shared(workspaceId, id), take: () => grants.notShared(workspaceId, id) }
  }

  async function told({ id, asker, request: { email } }: Grant, outcome: GrantOutcome, wasDoubted: boolean) {
    if (!(await markTold(() => grants.told(asker.workspaceId, id, outcome)))) return
    tally([{ email, outcome, wasDoubted }], 'at_once')
  }

  async function receipt(
    from: From,
    grant: Grant,
    outcome: GrantOutcome,
    how: Telling & { readonly isJoined: boolean; readonly wasDoubted: boolean },
  ): Promise<void> {
    const { id, request, channelId } = grant
    // The one that stands for it is told where it was asked.
    const about = how.isJoined ? undefined : grant.about
    const shared = renderShared(from.asker.name, request, outcome, about)
    const story = await sharing.inThread(from, about, shared, shareMark(grant))
    // What is left to do is for the asker alone.
    if (story !== 'told' || isForbidden(outcome)) {
      const message = renderReceipt(id, request, outcome, {
        canShare: story === 'not-told' && (await sharing.isOpen(from, channelId)),
        line: how.showsLine ? commandLine(wishOf(request), settings) : undefined,
        note: how.isJoined ? joinedNote : how.wasDoubted ? doubtedNote : undefined,
      })
      await delivery.privately(besideStory(from.place, story), message, { replaces: how.replaces })
    }
    await told(grant, outcome, how.wasDoubted)
  }

  /** The token was refused, so nothing was granted: the same wish waits under an id that follows from this one. */
  async function waitAgain(from: From, grant: Grant, outcome: GrantOutcome, how: Telling): Promise<void> {
    const { workspaceId } = from.asker
    const id = `${grant.id}:again`
    await grants.ask({ ...grant, id })
    const again = await grants.find(workspaceId, id)
    if (again?.state === 'asked') {
      await connectFirst.ask(from, wanted(id, how), 'refused', { replaces: how.replaces })
    }
    await told(grant, outcome, grant.wasDoubted)
  }

  function isRefusedToken(outcome: GrantOutcome | undefined): outcome is GrantOutcome {
    return outcome?.kind === 'not-granted' && outcome.code === 'refused'
  }

  async function findOwn(asker: SlackUser, id: string): Promise<Grant | undefined> {
    const grant = await grants.find(asker.workspaceId, id)
    return grant?.asker.userId === asker.userId ? grant : undefined
  }

  return {
    async keep({ wish, asker, ...rest }) {
      const { workspaceId, userId } = asker
      await grants.askAll(
        requestsOf(wish).map((request) => ({ ...rest, asker: { workspaceId, userId }, request })),
      )
      const kept = await grants.find(workspaceId, rest.id)
      return kept !== undefined && isSameWish(wishOf(kept.request), wish)
    },
    async unsent(asker, id) {
      const grant = await findOwn(asker, id)
      return grant?.state === 'asked' ? { ...grant, wish: wishOf(grant.request) } : undefined
    },
    async send(from, id, how, askedAfter) {
      const sendAndTell = async (token: string) => {
        // The buttons go at once. Should that fail, the receipt comes all the same.
        const onSending = async ({ request }: Grant) => {
          if (!how.replaces) return
          const sending = renderSending(wishOf(request))
          await delivery.privately(from.place, sending, { replaces: true }).catch(() => undefined)
        }
        const sent = { askedAfter, joins: !isRest(id), onSending }
        const granted = await grantAccess(from.asker, token, id, sent)
        if (granted.kind === 'gone') throw new UserError(goneWords(await findOwn(from.asker, id)))
        const { grant } = granted
        if (granted.kind === 'repeated') {
          return isRefusedToken(grant.outcome) ? waitAgain(from, grant, grant.outcome, how) : undefined
        }
        const { outcome, isJoined, wasDoubted } = granted
        if (isRefusedToken(outcome)) await waitAgain(from, grant, outcome, how)
        else await receipt(from, grant, outcome, { ...how, isJoined, wasDoubted })
        noteOutcome([{ email: grant.request.email, outcome }])
      }
      const { workspaceId } = from.asker
      const leaveUntold = () => grants.leaveUntold(workspaceId, id)
      const renew = () => grants.renewTelling(workspaceId, id, leaseMs)
      const work = (token: string) =>
        orLeaveUntold(() => renewing(renew, () => sendAndTell(token)), leaveUntold)
      await connectFirst.withToken(from, wanted(id, how), work, { beside: askApprovalButton(id) })
    },
    cancel: (asker, id) => grants.cancel(asker, id),
    async tellWhatBecame(from, id) {
      const grant = await findOwn(from.asker, id)
      if (grant?.state === 'sending') return delivery.privately(from.place, say(underWay))
      if (grant?.outcome === undefined) return delivery.privately(from.place, say(goneWords(grant)))
      await receipt(from, grant, grant.outcome, {
        showsLine: false,
        replaces: false,
        isJoined: false,
        wasDoubted: grant.wasDoubted,
      })
    },
    async share(from, id) {
      const grant = await findOwn(from.asker, id)
      if (grant?.outcome === undefined || grant.channelId === undefined) return
      const { channelId, request, outcome, about } = grant
      const message = renderShared(from.asker.name, request, outcome, about?.isForAll ? about : undefined)
      await sharing.inChannel(from, channelId, message, shareMark(grant))
    },
  }
}
