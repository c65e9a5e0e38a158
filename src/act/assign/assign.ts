// *Assign to me* and *Assign to somebody*: goes on at once where it is known to whom, else asks in a form. What is read
// for that is read with the presser's own token, and shown to them alone.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type WaitedFor, withToken } from '../../account/connect-first.ts'
import { refuseToken } from '../../alert/asking/token.ts'
import { cardTheySee, maySee } from '../../alert/cards.ts'
import { sayingWhenSlow } from '../../alert/look-up.ts'
import { type CardPress, readCardPress } from '../../alert/render/card-buttons.ts'
import { monitorSentence } from '../../alert/render/failures.ts'
import { MonitorError, UserError } from '../../errors.ts'
import { isAbout } from '../../log/request.ts'
import { isContainerToken, linkShown, ownIdKnown, ownIdOfToken } from '../../names/own-id.ts'
import { whileFinding } from '../../send/telling.ts'
import type { ActionRequest, From } from '../../slack/guard/requests.ts'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { quote } from '../../slack/text/typed.ts'
import { inTime } from '../../work/in-time.ts'
import { tooOldWords } from '../render/ways-on.ts'
import type { ActRoom } from '../room.ts'
import { actOn, holdsOwnToken } from '../sending.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { type AssignAsking, assignModal, assignNoteModal, loadingAssignModal, personName } from './modal.ts'
import { answeredElsewhere, renderAskSelf, renderContainerToken, renderOpenForm } from './render.ts'
import {
  type AssignState,
  assignState,
  assignTo,
  type ForWhom,
  intentOf,
  type WantedAssign,
  wantedAssignSchema,
} from './wanted.ts'

/** *Assign to me* on a card. @throws UserError */
export async function assignToMe(room: ActRoom, pressed: ActionRequest, press: CardPress): Promise<void> {
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await assignMe(room, pressed, wanted, pressed.triggerId)
}

/** *Assign to somebody* on a card. @throws UserError */
export async function openAssignForm(room: ActRoom, pressed: ActionRequest, press: CardPress): Promise<void> {
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await openFormFor(room, pressed, press, wanted)
}

async function openFormFor(
  room: ActRoom,
  pressed: ActionRequest,
  press: CardPress,
  wanted: WantedAssign,
): Promise<void> {
  isAbout('act')
  const { cardId, ownerId } = press
  const ask: z.infer<typeof waitingForm> = { form: { cardId, ownerId } }
  const { asker, place, triggerId } = pressed
  const from = { asker, place }
  await withToken(room.account, from, { feature: 'act', ask }, async (token) => {
    await openWhenRead(room, from, triggerId, 'somebody', wanted, token)
  })
}

/** *Assign to somebody* on an answer. */
export async function openAssignFormAgain(room: ActRoom, pressed: ActionRequest): Promise<void> {
  const press = readCardPress(pressed.value)
  if (press === undefined) return
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await openFormFor(room, pressed, press, { ...wanted, isOnCard: false })
}

/** *Say who you are*. */
export async function askSelf(room: ActRoom, pressed: ActionRequest): Promise<void> {
  const wanted = readPrivateMetadata(wantedAssignSchema, pressed.value)
  await assignMe(room, pressed, { ...wanted, isOnCard: false }, pressed.triggerId)
}

async function wantedOn(
  { alert }: ActRoom,
  { asker }: From,
  { cardId, ownerId }: CardPress,
): Promise<WantedAssign | undefined> {
  const card = await alert.cards.find(asker.workspaceId, cardId)
  if (card === undefined) throw new UserError(tooOldWords.card)
  if (!maySee(asker, card)) return undefined
  // Cards of closed alerts have no such button.
  const shown = { ownerId, isClosed: false }
  return { id: randomUUID(), ks: card.ks, message: '', shown, cardId: card.id, isOnCard: true }
}

const waitingForm = z.object({ form: z.object({ cardId: z.string(), ownerId: z.number().int().nullable() }) })
const waitingMe = z.object({ me: wantedAssignSchema })

/** Assigns to whoever asks, once it is known who that is in monitoring. @param triggerId - Opens a form, should one be needed. */
export async function assignMe(
  room: ActRoom,
  { asker, place }: From,
  wanted: WantedAssign,
  triggerId: string | undefined,
): Promise<void> {
  isAbout('act')
  const from = { asker, place }
  const ask: z.infer<typeof waitingMe> = { me: wanted }
  await withToken(room.account, from, waiting(ask), async (token) => {
    if (holdsOwnToken(wanted, token)) return refuseToken(room, from)
    const own = await ownIdKnown(room.names, asker)
    if (own !== undefined) {
      return (await isOfNobody(room, asker, token))
        ? room.delivery.privately(place, renderContainerToken(wanted))
        : actOn(room, from, assignTo(wanted, own.userId))
    }
    const intent = intentOf(from, wanted, 'me')
    await whileFinding(room.send, intent, async () => {
      const found =
        triggerId === undefined
          ? await findSlowly(room, from, token, wanted)
          : await openWhenRead(room, from, triggerId, 'me', wanted, token)
      if (found.kind === 'known') {
        await actOn(room, from, { ...assignTo(wanted, found.userId), replaces: intent.id })
      } else if (found.kind === 'container-token') {
        await room.delivery.privately(place, renderContainerToken(wanted))
      } else if (triggerId === undefined) await room.delivery.privately(place, renderAskSelf(wanted))
    })
  })
}

/** Nobody is asked of a token that has proven whose it is. */
async function isOfNobody(
  { names, account }: ActRoom,
  { workspaceId, userId }: SlackUser,
  token: string,
): Promise<boolean> {
  const asker = { workspaceId, userId }
  const proven = await ownIdOfToken(names, asker, await account.tokens.since(asker))
  return proven === undefined && (await isContainerToken(names, asker, token))
}

function waiting(ask: unknown): WaitedFor {
  return { feature: 'act', ask }
}

/** Goes on once an account is connected; false where something else waited. */
export async function goOnAssigning(room: ActRoom, from: From, ask: unknown): Promise<boolean> {
  const me = waitingMe.safeParse(ask)
  if (me.success) {
    await assignMe(room, from, me.data.me, undefined)
    return true
  }
  const form = waitingForm.safeParse(ask)
  if (form.success) await room.delivery.privately(from.place, renderOpenForm(form.data.form))
  return form.success
}

function findSlowly(room: ActRoom, from: From, token: string, wanted: WantedAssign): Promise<Candidates> {
  const reading = findCandidates(room, from.asker, token, wanted, { purpose: 'me' })
  return sayingWhenSlow(room.alert, from, { ks: wanted.ks, answer: 'here' }, reading)
}

/** A trigger lives three seconds, and some of them are gone by then. */
const soonMs = 1_200

/**
 * Opens the form that a read decides about: by itself where that is soon there, else in place of “Loading…”.
 * @returns What was found: whoever is known, or is nobody, needs no form.
 * @throws MonitorError what it did not tell in the form.
 */
async function openWhenRead(
  room: ActRoom,
  from: From,
  triggerId: string,
  purpose: ForWhom,
  wanted: WantedAssign,
  token: string,
): Promise<Candidates | { readonly kind: 'told' }> {
  const { openView, updateView } = room.alert.outbound.in(from.asker.workspaceId)
  const reading = findCandidates(room, from.asker, token, wanted, { purpose })
  const soon = await inTime(reading, soonMs)
  if (soon !== undefined) {
    if (isAsking(soon)) await openView(triggerId, await formFor(room, from, purpose, wanted, soon))
    return soon
  }
  const viewId = await openView(triggerId, loadingAssignModal(purpose))
  try {
    const found = await reading
    const view = isAsking(found)
      ? await formFor(room, from, purpose, wanted, found)
      : assignNoteModal(purpose, answeredElsewhere)
    await updateView(viewId, view)
    return found
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    await updateView(viewId, assignNoteModal(purpose, monitorSentence(error.code)))
    if (error.code === 'refused') throw error
    return { kind: 'told' }
  }
}

export function isAsking(found: Candidates): found is AssignAsking {
  return found.kind === 'ask-container' || found.kind === 'ask-person' || found.kind === 'ask-number'
}

/** @param from - Where its verdict goes. */
export async function formFor(
  room: ActRoom,
  { asker, place }: From,
  purpose: ForWhom,
  wanted: WantedAssign,
  asking: AssignAsking,
) {
  const containerId = asking.kind === 'ask-container' ? undefined : asking.containerId
  const state: AssignState = { purpose, wanted, place, containerId }
  const card = await cardTheySee(room.alert, asker, wanted.cardId)
  const mode = (await room.suggesting?.mode()) ?? ({ kind: 'typed', canSwitch: false } as const)
  const headline = card?.title ?? `Alert ${quote(wanted.ks)}`
  const { message } = wanted
  const link = purpose === 'me' ? await linkShown(room.names, asker) : undefined
  const overruled =
    link?.standing === 'overruled' ? personName({ id: link.userId, name: link.name ?? '' }) : undefined
  return assignModal({ purpose, state: assignState(state), headline, overruled, message, mode }, asking)
}
