// *Ask in thread*, for an asker without the flag: one line in the thread of the alert’s card, for whoever can grant it. It
// has the asker’s name, what they wanted and the flag: nothing that anybody’s token has read.
import { randomUUID } from 'node:crypto'
import type { Button } from '@slack/types'
import { subjectOf, whereOthersSee } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { askToChange } from '../grant/changing.ts'
import { openForm } from '../grant/form.ts'
import { findRecipients } from '../grant/granting.ts'
import { personIn, readPeople } from '../grant/people.ts'
import { handlesAlerts, isFlag } from '../grant/roles.ts'
import type { House } from '../house.ts'
import type { AlertWrite, ModeWrite } from '../send/outcome.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { button, describe, say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import { actKinds } from './kinds.ts'

/** Wishes by kind, each with the flag that it needs. */
const wishes: Readonly<Record<string, { readonly flag: string; readonly wish: string }>> = {
  ...Object.fromEntries(
    Object.entries(actKinds).map(([kind, { flag, verb }]) => [
      kind,
      { flag, wish: `${verb} the alert` },
    ]),
  ),
  'set-mode': { flag: 'ASSET_MANAGEMENT', wish: 'set maintenance' },
}

export const askInThreadAction = 'act.ask-in-thread'
export const grantAskedAction = 'act.grant-asked'

/**
 * *Ask in thread*, for an asker without the flag; none where no colleague reads, or another organisation may.
 * @param isUnread - Their token couldn’t read the alert, so it may lack API as well.
 */
export async function askButtons(
  house: House,
  asker: SlackUser,
  { kind, cardId }: Pick<AlertWrite | ModeWrite, 'kind' | 'cardId'>,
  isUnread = false,
): Promise<readonly Button[]> {
  const parent = await whereOthersSee(house, asker, cardId)
  const isOurs = parent && (await house.slack.channels.outsiders(parent.channelId)) === 'none'
  const flags = [...(isUnread ? ['API'] : []), wishes[kind]?.flag ?? '']
  return isOurs
    ? [button(askInThreadAction, 'Ask in thread', [cardId, kind, ...flags].join(' '))]
    : []
}

/** Stands between a name and what they wanted, in the words that the line gets once it is granted. */
const needed = 'needed'

/** Asks once for each person and card. @throws UserError where nobody may be asked there. */
export async function askInThread(
  house: House,
  { asker, place, value }: ActionRequest,
): Promise<void> {
  const { slack, storage } = house
  const [cardId, kind = '', ...flags] = value.split(' ')
  const wanted = Object.hasOwn(wishes, kind) ? wishes[kind] : undefined
  const { workspaceId, userId, name } = asker
  const parent = await whereOthersSee(house, asker, cardId)
  const outsiders = parent && (await slack.channels.outsiders(parent.channelId, true))
  if (parent === undefined || outsiders !== 'none' || wanted === undefined)
    throw new UserError(
      'I can’t ask there: the card has no thread for your colleagues alone. Ask one directly.',
    )
  const key = `asked-in-thread ${userId} ${cardId}`
  if (!(await storage.once.claim(workspaceId, key)))
    return slack.privately(place, say('You already asked in that alert’s thread.'))
  try {
    const wish = `${flags.join(' and ')} on this alert’s container to ${wanted.wish}.`
    const message = describe({
      lines: [`${name} needs ${wish} Somebody with CONTAINER_ACCESS there can grant that.`],
      buttons: [
        button(
          grantAskedAction,
          'Grant access',
          [cardId, userId, flags, name, needed, wish].join(' '),
        ),
      ],
    })
    await slack.post(parent.channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await storage.once.release(workspaceId, key)
    throw error
  }
  await slack.privately(place, say('Asked in the alert’s thread.'))
}

/** Leaves time for the form: the press’s trigger lives three seconds. */
const changeWithinMs = 1_500

/**
 * *Grant access* below that line: asks about the change where the presser’s token shows the person on the container,
 * else opens the form with all that is known.
 * @throws UserError where they have the flag by now.
 */
export async function grantAsked(house: House, pressed: ActionRequest): Promise<void> {
  const [cardId = '', userId = '', listed = '', ...said] = pressed.value.split(' ')
  const { containerId, place, ...subject } = await subjectOf(house, pressed, cardId)
  const [flags, words, ts = ''] = [listed.split(','), said.join(' '), pressed.place.pressedTs]
  const [name = ''] = words.split(` ${needed} `, 1)
  const about = { ...subject, askedBy: { userId, name, words, flags, ts } }
  const from = { ...pressed, place }
  const permissions = flags.filter(isFlag)
  const wanted = { authProvider: undefined, member: handlesAlerts(permissions), permissions }
  const token = await house.tokens.find(pressed.asker)
  const { emails } = await findRecipients(house, [`@${userId}`])
  const list =
    containerId && token && (await inTime(readPeople(house, token, containerId), changeWithinMs))
  const sought = emails.map((email) => ({ email }))
  const isThere =
    typeof list === 'object' && sought.some((one) => personIn(list, one)?.inherit === false)
  if (containerId && isThere) {
    const member = wanted.member || undefined
    const terms = { kind: 'change', containerId, member, permissions } as const
    return askToChange(house, from, { id: randomUUID(), terms, sought, reason: about })
  }
  await openForm(house, from, { ...wanted, containerId, grantees: [`@${userId}`] }, about)
}
