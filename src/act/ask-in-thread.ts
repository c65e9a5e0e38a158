// *Ask in thread*, below a sentence that names a flag that somebody's token lacks: one line in the thread of the alert's card,
// for whoever can grant it. It tells their name, what they wanted to do, and the flag: nothing that anybody's token has read.
import { cardTheySee, subjectOf } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { confirmationOfChange } from '../grant/again.ts'
import { isFlag } from '../grant/flags.ts'
import { openForm } from '../grant/form/form.ts'
import type { House } from '../house.ts'
import type { Named } from '../send/request.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { button, describe, type Message, say } from '../slack/outbound/message.ts'
import { acts, isAct } from './acts.ts'
import { whereOthersSee } from './follow.ts'

/** Whether it is offered; what Slack says of a channel may be some minutes old. */
export async function canAskInThread(
  house: House,
  asker: SlackUser,
  cardId: string | undefined,
): Promise<boolean> {
  const card = await cardTheySee(house, asker, cardId)
  const parent = card && whereOthersSee(card)
  return parent !== undefined && (await house.slack.channels.wasShared(parent.channelId)) === false
}

/** Once for each person and card. @throws UserError where nobody may be asked there. */
export async function askInThread(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  const { slack, storage } = house
  const [cardId, kind = '', unread] = value.split(' ')
  if (!isAct(kind)) return
  const { workspaceId, userId, name } = asker
  const card = await cardTheySee(house, asker, cardId)
  const parent = card && whereOthersSee(card)
  if (card === undefined || parent === undefined) throw new UserError(noThread)
  // Where nobody knows whether others read along, they may.
  if ((await slack.channels.isShared(parent.channelId)) !== false) throw new UserError(othersRead)
  const key = `asked-in-thread ${userId} ${card.id}`
  if (!(await storage.once.claim(workspaceId, key))) return slack.privately(place, say(askedBefore))
  try {
    const message = renderAsked({ userId, name }, kind, card.id, unread !== undefined)
    await slack.post(parent.channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await storage.once.release(workspaceId, key)
    throw error
  }
  await slack.privately(place, say('Asked in the alert’s thread.'))
}

const askedBefore = 'You already asked in that alert’s thread.'
const noThread = 'That card has no thread where I could ask. Ask a colleague directly.'
const othersRead =
  'People of another organisation may read in that channel, so I don’t ask there. Ask a colleague directly.'

/** Action id of the button in the thread. Its value: the card, who asks, and the flags. */
export const grantAskedAction = 'act.grant-asked'

/** @param asker - Their name, raw; they are not mentioned. @param mayLackApi - Their token reads nothing there. */
function renderAsked(asker: Named, kind: AlertWrite['kind'], cardId: string, mayLackApi: boolean): Message {
  const { flag, verb } = acts[kind]
  const flags = mayLackApi ? ['API', flag] : [flag]
  return describe({
    lines: [
      `${asker.name} needs ${flags.join(' and ')} on this alert’s container to ${verb} the alert. Somebody with CONTAINER_ACCESS there can grant that.`,
    ],
    buttons: [button(grantAskedAction, 'Grant access', [cardId, asker.userId, ...flags].join(' '))],
  })
}

/**
 * *Grant access* below that line: what would change where the presser's token shows that whoever asked is on the container
 * already, else the form with all that is known.
 */
export async function grantAsked(house: House, pressed: ActionRequest): Promise<void> {
  const [cardId = '', userId = '', ...words] = pressed.value.split(' ')
  const { containerId, place, ...about } = await subjectOf(house, pressed, cardId)
  const wanted = { authProvider: undefined, member: false, permissions: words.filter(isFlag) }
  const prefill = {
    ...{ ...wanted, container: containerId === undefined ? '' : String(containerId) },
    grantees: [{ kind: 'person', userId } as const],
  }
  await openForm(house, { ...pressed, place }, prefill, about, async (emails) =>
    containerId === undefined
      ? undefined
      : confirmationOfChange(house, { ...pressed, place }, { ...wanted, containerId, emails }, about),
  )
}
