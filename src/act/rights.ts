// Deals with rights that are missing for an act: a flag of the asker, which they hear of before a form opens, and membership
// of the new owner. A button asks for the right, or gives it. The service decides in the end.
import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { isKnownToLack } from '../account/rights.ts'
import { cardTheySee, subjectOf, whereOthersSee } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { openForm } from '../grant/form.ts'
import { askToChange, findRecipients } from '../grant/granting.ts'
import { personIn, readPeople } from '../grant/people.ts'
import { handlesAlerts, isFlag } from '../grant/roles.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { containerInWords, containerKnown } from '../names/containers.ts'
import { type AlertWrite, isRefusedFor, type ModeWrite, type SendOutcome } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { button, describe, say } from '../slack/outbound/message.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import type { KeyedIntent } from './intent.ts'
import { actKinds } from './kinds.ts'
import { peopleByCard } from './people.ts'
import type { Owners } from './render/verdict.ts'

/** Tells somebody whose token is known to lack the act’s flag. @returns False if no lack is known, so nothing was said. */
export async function hearsOfLack(
  house: House,
  { asker, place }: From,
  { act, message, cardId, which: { ks } }: KeyedIntent,
): Promise<boolean> {
  const { flag, wish } = actKinds[act]
  const card = await cardTheySee(house, asker, cardId)
  // If the container isn’t known already, nothing is said: the service isn’t asked for it.
  const containerId = containerKnown(house, asker, ks, card ?? {})
  if (!containerId || !(await isKnownToLack(house, asker, containerId, flag))) return false

  const where = containerInWords(house, asker, containerId)
  const why = `⛔ You can’t ${wish}: your token lacks ${flag} on ${where}.`
  const lines = [why, 'Somebody with CONTAINER_ACCESS there can add it.']
  const buttons = await askButtons(house, asker, { kind: act, cardId })

  noteOutcome('service-forbidden')
  await house.slack.privately(
    place,
    describe({
      lines,
      toCopy: message,
      buttons,
    }),
  )
  return true
}

/** Kinds of writes, each with the flag that it needs and with words for what the flag is needed for. */
const wishes: Readonly<Record<string, { readonly flag: string; readonly wish: string }>> = {
  ...actKinds,
  'set-mode': { flag: 'ASSET_MANAGEMENT', wish: 'set maintenance' },
}

export const askInThreadAction = 'act.ask-in-thread'
export const grantAskedAction = 'act.grant-asked'
export const makeMemberAction = 'act.make-member'

/**
 * *Ask in thread*, for an asker without the flag; no button if no colleague reads the card, or another organisation may.
 * @param isUnread - True if their token couldn’t read the alert, so it may lack API as well.
 */
export async function askButtons(
  house: House,
  asker: SlackUser,
  { kind, cardId }: Pick<AlertWrite | ModeWrite, 'kind' | 'cardId'>,
  isUnread = false,
): Promise<readonly Button[]> {
  const parent = await whereOthersSee(house, asker, cardId)
  const outsiders = parent && (await house.slack.channels.outsiders(parent.channelId))
  if (outsiders !== 'none') return []

  const flags = [...(isUnread ? ['API'] : []), wishes[kind]?.flag]
  const value = [cardId, kind, ...flags].join(' ')
  return [button(askInThreadAction, 'Ask in thread', value)]
}

/** Word behind the asker’s name once she has the flag: the thread’s line then says “Alice needed …”. */
const needed = 'needed'

/**
 * Posts one line in the thread of the alert’s card, once for each person and card, for whoever can grant the flag. The line
 * has the asker’s name, what they wanted and the flag: nothing that anybody’s token has read. Its button’s value has what
 * `grantAsked` needs: card, person and flags, and the words of the line for when the flags are granted.
 * @throws UserError if nobody may be asked there.
 */
export async function askInThread(
  house: House,
  { asker, place, value }: ActionRequest,
): Promise<void> {
  const { slack, storage } = house
  const [cardId, kind = '', ...flags] = value.split(' ')
  const { workspaceId, userId, name } = asker
  const parent = await whereOthersSee(house, asker, cardId)
  const outsiders = parent && (await slack.channels.outsiders(parent.channelId, true))
  if (parent === undefined || outsiders !== 'none')
    throw new UserError(
      'I can’t ask there: the card has no thread for your colleagues alone. Ask one directly.',
    )

  const key = `asked-in-thread ${userId} ${cardId}`
  const said = say('You have asked in the alert’s thread.')
  if (!(await storage.once.claim(workspaceId, key))) return slack.privately(place, said)

  const wish = `${flags.join(' and ')} on this alert’s container to ${wishes[kind]?.wish}.`
  const asked = [cardId, userId, flags, name, needed, wish].join(' ')
  const message = describe({
    lines: [`${name} needs ${wish} Somebody with CONTAINER_ACCESS there can grant that.`],
    buttons: [button(grantAskedAction, 'Grant access', asked)],
  })
  try {
    await slack.post(parent.channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await storage.once.release(workspaceId, key)
    throw error
  }
  await slack.privately(place, said)
}

/** Longest wait for the list of people, so that a form can still open: the press’s trigger lives three seconds. */
const changeWithinMs = 1_500

/**
 * *Grant access* below the line of `askInThread`. If the presser’s token shows that person on the container, asks whether
 * to change their access; else opens the form for a grant with all that is known.
 * @throws UserError if they have the flag by now.
 */
export async function grantAsked(house: House, pressed: ActionRequest): Promise<void> {
  const [cardId = '', userId = '', listed = '', ...said] = pressed.value.split(' ')
  const { containerId, place, ...subject } = await subjectOf(house, pressed, cardId)
  const from = { ...pressed, place }

  const flags = listed.split(',')
  const words = said.join(' ')
  const [name = ''] = words.split(` ${needed} `, 1)
  const askedBy = {
    userId,
    name,
    words,
    flags,
    ts: pressed.place.pressedTs ?? '',
  }
  const about = { ...subject, askedBy }

  const permissions = flags.filter(isFlag)
  const member = handlesAlerts(permissions)

  if (containerId) {
    const { people: sought } = await findRecipients(house, [`@${userId}`])
    const token = await house.tokens.find(pressed.asker)
    const list = token && (await inTime(readPeople(house, token, containerId), changeWithinMs))
    const isThere =
      typeof list === 'object' && sought.some((one) => personIn(list, one)?.inherit === false)
    if (isThere) {
      const terms = {
        kind: 'change',
        containerId,
        member: member || undefined,
        permissions,
      } as const
      return askToChange(house, from, {
        id: randomUUID(),
        terms,
        sought,
        reason: about,
      })
    }
  }

  const wanted = {
    container: `${containerId ?? ''}`,
    grantees: [`@${userId}`],
    permissions,
    member,
    authProvider: undefined,
  }
  await openForm(house, from, wanted, about)
}

/**
 * *Make them a member*, if the new owner isn’t a member, and this token shows them on the alert’s container; else no
 * button.
 */
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

/** *Make them a member*, pressed: asks whether to make that change. @throws UserError if it can’t be made. */
export async function makeMember(house: House, pressed: ActionRequest): Promise<void> {
  const [containerId = 0, ownerId = 0] = pressed.value.split(' ').map(Number)
  const terms = {
    kind: 'change',
    containerId,
    member: true,
    permissions: [],
  } as const
  const sought = [{ email: '', there: { userId: ownerId } }]
  await askToChange(house, pressed, {
    id: randomUUID(),
    terms,
    sought,
  })
}
