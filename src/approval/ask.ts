// Asks a colleague to approve a stored grant, or more time for access that ends by itself. Nothing is posted before the
// request is stored.
import { randomUUID } from 'node:crypto'
import { checkLasting, editEnd, findEnd, onlyInvolved, readEdit } from '../ends/buttons.ts'
import type { End } from '../ends/states.ts'
import { UserError } from '../errors.ts'
import { accessOf, haveAddresses, leftToApprove, resultsOf, writesOf } from '../grant/access.ts'
import { formMemory, readFormMemory } from '../grant/form-memory.ts'
import { findOwn } from '../grant/receipts.ts'
import { askMore } from '../grant/render/lasting.ts'
import { inVain } from '../grant/render/receipt.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { AccessWrite } from '../send/outcome.ts'
import { approvalIn, createRequest, giveUpStep } from '../send/request.ts'
import { keep } from '../send/send.ts'
import { holding } from '../send/telling.ts'
import type { ActionRequest, Submission } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { personInLine, type SlackUser } from '../slack/person.ts'
import { hourMs } from '../work/durations.ts'
import { tellNow } from './follow-ups.ts'
import { barredFor } from './four-eyes.ts'
import { askModal, channelInput, noReason, reasonInput, renderAsked, whyNot } from './render.ts'

/** Claim of a request for more time. Storage keeps one waiting request with the same claim, so each access has only one. */
const claimOfMore = (endId: string) => `more time for ${endId}`

/**
 * *Ask for approval*: opens the modal. The modal asks for a channel if no channel is set up for approvals and the grant’s own
 * channel may be shared with another organisation. Slack’s last answer about that is enough here, as posting asks anew.
 * @throws UserError when there is nothing to ask for, or it was asked for before.
 */
export async function openAskForm(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, triggerId, value: grantId } = pressed
  const { config, slack } = house
  const { access, channelId } = await planRequest(house, asker, grantId)
  const container = containerInWords(house, asker, access.containerId)
  const isThere = channelId !== undefined && (await slack.channels.outsiders(channelId)) === 'none'
  const asked = {
    access,
    container,
    asksWhere: config.approval.channelId === undefined && !isThere,
  }

  const modal = askModal(formMemory(grantId, place), asked, config.roles)
  await slack.openView(triggerId, modal)
}

/** Stores and posts the request of a submitted modal. @throws UserError if there is nothing to ask for, or no channel. */
export async function askByForm(house: House, submitted: Submission): Promise<void> {
  const { config, slack, storage } = house
  const { asker, filled, privateMetadata, correct, ack } = submitted
  const { workspaceId } = asker
  const { id: grantId, place } = readFormMemory(privateMetadata, asker)
  const reason = filled.text(reasonInput)
  if (reason === '') return correct({ [reasonInput]: noReason })

  await ack()
  // From here on, failures too are told where the modal was opened.
  const press = submitted.moveTo(place)
  const { channelId: askedIn, ...planned } = await planRequest(house, asker, grantId)
  const chosen = filled.conversation(channelInput)?.channelId
  const channelId = config.approval.channelId ?? chosen ?? askedIn
  if (channelId === undefined) throw new UserError(whyNot.directThere)

  const barred = await barredFor(house, asker, planned.access)

  // The grant gets the state `handed-over`: otherwise, it could also be sent once its asker connects an account. If Slack
  // refuses the card of the request, the grant goes back to its former state.
  await storage.requests.change({ workspaceId, id: grantId }, giveUpStep(asker, 'handed-over'))
  const { id, access, about } = await planRequest(house, asker, grantId)
  const approval = {
    askerName: personInLine(asker),
    reason,
    channelId,
    barred,
    container: containerInWords(house, asker, access.containerId),
    threadTs: place.channelId === channelId ? place.threadTs : undefined,
  }

  // A request isn’t open for longer than the access that it asks for, or asks to extend.
  const { ends, endId } = access
  const end = endId && (await storage.ends.find({ workspaceId, id: endId }))
  const ownEnd = ends && 'at' in ends ? ends.at : Number.POSITIVE_INFINITY
  const lastAt = end ? end.endsAt : ownEnd
  const isNew = await storage.requests.insert((now) => {
    const until = Math.min(now + config.approval.ttlHours * hourMs, lastAt)
    const wanted = {
      id,
      sender: asker,
      about,
      writes: writesOf(access),
      approval: { ...approval, until },
      claim: endId && claimOfMore(endId),
    }
    return createRequest(wanted, now)
  })

  const find = async () => approvalIn(await storage.requests.find({ workspaceId, id }))
  const asked = isNew ? await find() : undefined
  if (asked === undefined) throw new UserError(whyNot.nothingToAsk)

  await holding(house, [asked], () => tellNow(house, asked, press)).catch((error: unknown) =>
    house.log.failedJob(
      'warn',
      { err: error, approval: id },
      'a request could not be posted; trying again',
    ),
  )

  const kept = await find()
  // Undefined: Slack has refused the card, and the asker has heard why.
  if (kept === undefined) return

  const isPosted = kept.approval.card !== undefined
  await slack.privately(place, isPosted ? renderAsked(kept) : say(whyNot.notYetPosted))
}

/**
 * The part of a grant that a colleague could make: all of it if it wasn’t sent, else for people who got nothing.
 * @throws UserError when nobody is left, approval was asked for before, or an address is hidden.
 */
async function planRequest(house: House, asker: SlackUser, grantId: string) {
  const id = `${grantId}:ask`
  const { workspaceId } = asker
  const before = await house.storage.requests.find({ workspaceId, id })
  const kept = await findOwn(house, asker, grantId)
  if (before !== undefined || kept === undefined) throw new UserError(whyNot.nothingToAsk)

  const access = accessOf(kept)
  const people = kept.attempt === 0 ? access.people : leftToApprove(resultsOf(kept))
  if (people.length === 0) throw new UserError(whyNot.nothingToAsk)
  if (!haveAddresses({ people })) throw new UserError(inVain.hidden)
  return { id, access: { ...access, people }, channelId: kept.channelId, about: kept.about }
}

/** The menu of access that ends: *Ask for 4 hours more* asks a colleague; all else is done at once. */
export async function editEndOrAsk(house: House, pressed: ActionRequest): Promise<void> {
  const [what, id] = readEdit(pressed.value)
  const moreMs = askMore.get(what)
  if (moreMs === undefined) return editEnd(house, pressed)

  const end = await findEnd(house, pressed, id)
  await askForMore(house, pressed, end, moreMs)
}

/** Opens the modal for more time. @throws UserError if the presser may not ask, somebody has asked, or it is too much. */
async function askForMore(
  house: House,
  pressed: ActionRequest,
  end: End,
  moreMs: number,
): Promise<void> {
  const { storage, config, now } = house
  const { asker, place } = pressed
  const { workspaceId, userId } = asker
  if (userId !== end.giverId && userId !== end.askerId) throw new UserError(onlyInvolved)

  const at = Math.max(end.endsAt, now()) + moreMs
  checkLasting(config, end, at)

  const open = await storage.requests.list({ workspaceId, claim: claimOfMore(end.id) })
  if (open.length > 0)
    throw new UserError('Somebody has asked for more time already, and waits for an answer.')

  const { containerId, whom, authProvider, flags, id: endId } = end
  const write: AccessWrite = {
    ...whom,
    kind: 'extend',
    containerId,
    authProvider,
    endId,
    permissions: flags,
    moreMs,
    ends: { at },
  }

  const channelId = place.isDirect ? undefined : place.channelId
  const id = randomUUID()
  await keep(house, {
    id,
    sender: asker,
    writes: [write],
    channelId,
    needsApproval: true,
  })
  await openAskForm(house, { ...pressed, value: id })
}
