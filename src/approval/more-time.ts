// More time for access that ends: whoever can’t extend it themself asks a colleague, as for access.
import { randomUUID } from 'node:crypto'
import * as ends from '../ends/buttons.ts'
import type { End } from '../ends/states.ts'
import { UserError } from '../errors.ts'
import { tooLong } from '../grant/lasting.ts'
import { askMore, extensions } from '../grant/render/lasting.ts'
import type { House } from '../house.ts'
import type { AccessWrite } from '../send/outcome.ts'
import { keep } from '../send/send.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { claimOfMore, openAskForm } from './ask.ts'

const isToAsk = (what: string): what is keyof typeof askMore => Object.hasOwn(askMore, what)

/** The menu of an end: *Ask for 4 hours more* asks a colleague; all else is done at once. */
export async function editEndOrAsk(house: House, pressed: ActionRequest): Promise<void> {
  const [what, id] = ends.readEdit(pressed.value)
  if (!isToAsk(what)) return ends.editEnd(house, pressed)
  await askForMore(house, pressed, await ends.findEnd(house, pressed, id), askMore[what])
}

/** @throws UserError where somebody asks already, or nobody could approve it. */
async function askForMore(
  house: House,
  pressed: ActionRequest,
  end: End,
  more: keyof typeof extensions,
): Promise<void> {
  const { storage, config, now } = house
  const { asker, place } = pressed
  const { workspaceId, userId } = asker
  if (userId !== end.giverId && userId !== end.askerId) throw new UserError(ends.onlyInvolved)
  const moreMs = extensions[more]
  const at = Math.max(end.endsAt, now()) + moreMs
  const timed = tooLong(config, end, at)
  if (timed.length > 0) throw new UserError(`${timed.join(', ')} can’t last that long here.`)
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
  await keep(house, { id, sender: asker, writes: [write], channelId, needsApproval: true })
  await openAskForm(house, { ...pressed, value: id })
}
