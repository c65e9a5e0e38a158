// Flags come first: a press hears what its token is known to lack before a form opens. The service decides in the end.

import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { isKnownToLack } from '../account/rights.ts'
import { cardTheySee } from '../alert/cards.ts'
import { askToChange } from '../grant/changing.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { containerInWords, containerKnown, personShown } from '../names/containers.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { button, describe } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { askButtons } from './ask-in-thread.ts'
import { peopleByCard } from './container.ts'
import type { KeyedIntent } from './intent.ts'
import { actKinds } from './kinds.ts'
import type { Owners } from './render/verdict.ts'

/** Tells somebody that their token lacks the flag. @returns False where no lack is known. */
export async function hearsOfLack(
  house: House,
  { asker, place }: From,
  { act, message, cardId, which: { ks } }: KeyedIntent,
): Promise<boolean> {
  const { flag, verb } = actKinds[act]
  const card = await cardTheySee(house, asker, cardId)
  // Known containers alone will do: the service decides in the end.
  const containerId = containerKnown(house, asker, ks, card ?? {})
  if (!containerId || !(await isKnownToLack(house, asker, containerId, flag))) return false

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
  owners: Owners | undefined,
): Promise<readonly Button[]> {
  if (write.kind !== 'assign' || !isRefusedFor(outcome, ['not-found'])) return []
  const { ownerId } = write
  const { containerId, people } = await peopleByCard(house, reader, write)
  const isThere = people.some((one) => one.id === ownerId && one.email && !one.inherit)
  if (!isThere) return []
  const label = `Make ${ownerId === owners?.own ? 'me' : 'them'} a member`
  return [button(makeMemberAction, label, `${containerId} ${ownerId}`)]
}

/** @throws UserError where the presser’s token doesn’t show that change. */
export async function makeMember(house: House, pressed: ActionRequest): Promise<void> {
  const [containerId = 0, ownerId = 0] = pressed.value.split(' ').map(Number)
  const terms = { kind: 'change', containerId, member: true, permissions: [] } as const
  const name = personShown(house, pressed.asker, ownerId)?.name
  const sought = [{ email: '', there: { userId: ownerId, ...(name && { name }) } }]
  await askToChange(house, pressed, { id: randomUUID(), terms, sought })
}
