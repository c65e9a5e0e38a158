// Flags come first: a press hears what its token is known to lack before a form opens. The service decides in the end.

import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { isKnownToLack } from '../account/rights.ts'
import { cardTheySee } from '../alert/cards.ts'
import { orMonitorError } from '../errors.ts'
import { askToChange } from '../grant/changing.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { containerInWords, containerKnown, personShown } from '../names/containers.ts'
import { peopleOf } from '../names/names.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { button, describe } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { askButtons } from './ask-in-thread.ts'
import { containerByCard, type KeyedIntent } from './intent.ts'
import { actKinds } from './kinds.ts'

/** Tells somebody that their token lacks the flag. @returns False where no lack is known. */
export async function hearsOfLack(
  house: House,
  { asker, place }: From,
  { act, message, cardId, which: { ks } }: KeyedIntent,
): Promise<boolean> {
  const { flag, verb } = actKinds[act]
  // Known containers alone will do: the service decides in the end.
  const containerId = containerKnown(
    house,
    asker,
    ks,
    (await cardTheySee(house, asker, cardId)) ?? {},
  )
  const isLacking = containerId && (await isKnownToLack(house, asker, containerId, flag))
  if (!containerId || !isLacking) return false
  const where = containerInWords(house, asker, containerId)
  const why = `⛔ You can’t ${verb} this alert: your token lacks ${flag} on ${where}.`
  const lines = [why, 'Somebody with CONTAINER_ACCESS there can add it.']
  const buttons = await askButtons(house, asker, { kind: act, cardId })
  noteOutcome('service-forbidden')
  await house.slack.privately(place, describe({ lines, toCopy: message, buttons }))
  return true
}

export const makeMemberAction = 'act.make-member'

/** *Make them a member*, where the new owner isn’t one, and this token shows them on the alert’s container. */
export async function memberButtons(
  house: House,
  reader: Account,
  write: AlertWrite,
  outcome: SendOutcome,
  isOwn = false,
): Promise<readonly Button[]> {
  if (write.kind !== 'assign' || !isRefusedFor(outcome, ['not-found'])) return []
  const containerId = await containerByCard(house, reader, write)
  const found = containerId && (await orMonitorError(peopleOf(house, reader, containerId)))
  const people = found && 'people' in found ? found.people : []
  const isThere = people.some((one) => one.id === write.ownerId && one.email && !one.inherit)
  const label = `Make ${isOwn ? 'me' : 'them'} a member`
  return isThere ? [button(makeMemberAction, label, `${containerId} ${write.ownerId}`)] : []
}

/** @throws UserError where the presser’s token doesn’t show that change. */
export async function makeMember(house: House, pressed: ActionRequest): Promise<void> {
  const [containerId = 0, ownerId = 0] = pressed.value.split(' ').map(Number)
  const terms = { kind: 'change', containerId, member: true, permissions: [] } as const
  const name = personShown(house, pressed.asker, ownerId)?.name
  const sought = [{ email: '', there: { userId: ownerId, ...(name && { name }) } }]
  await askToChange(house, pressed, { id: randomUUID(), terms, sought })
}
