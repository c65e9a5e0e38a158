// Buttons of access that ends by itself: more time, for good, now; and *I’m done*, of whoever has it. And `/grant due`.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import { called } from '../grant/access.ts'
import { extensions } from '../grant/render/ends.ts'
import { isFlag } from '../grant/roles.ts'
import type { House } from '../house.ts'
import { isSameAddress } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { type End, endingAtStep } from '../send/ends.ts'
import { refusals } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { whenSlow } from '../work/under-way.ts'
import { takeBack } from './ends.ts'
import { type DueEnd, renderDue, renderEnded, renderKept, whatEnds } from './render.ts'

async function findEnd({ storage }: House, { asker }: From, id: string): Promise<End> {
  const end = await storage.ends.find({ workspaceId: asker.workspaceId, id })
  if (end === undefined)
    throw new UserError('This access has ended already, or no longer ends by itself.')
  return end
}

const isExtension = (what: string): what is keyof typeof extensions =>
  Object.hasOwn(extensions, what)

/** More time or for good, for whoever gave it and whoever asked for it; or now, with the presser’s own token. */
export async function editEnd(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value } = pressed
  const [what = '', ...ids] = value.split(' ')
  const end = await findEnd(house, pressed, ids.join(' '))
  if (what === 'now') return endNow(house, pressed, end)
  if (asker.userId !== end.giverId && asker.userId !== end.askerId)
    throw new UserError(
      'Only the person who gave this access, or asked for it, can change when it ends.',
    )
  const endsAt = isExtension(what)
    ? Math.max(end.endsAt, house.now()) + extensions[what]
    : undefined
  mayLast(house, asker, end, endsAt)
  const { ends } = house.storage
  // One that is being made would be said to last, and then be gone.
  const isLater = await ends.change(end, (one, now) => {
    if (one.heldUntil > now && one.endsAt <= now) return undefined
    return endsAt === undefined ? 'gone' : endingAtStep(endsAt)(one, now)
  })
  if (endsAt === undefined ? await ends.find(end) : !isLater)
    throw new UserError('I’m taking it back right now. If it’s still there in a minute, try again.')
  const { containerId, flags: permissions, id: reference, whom } = end
  const entry = {
    containerId,
    email: whom.email || undefined,
    permissions,
    reference,
    until: endsAt,
  }
  const key = `extend:${reference}:${endsAt ?? 'kept'}`
  void house.audit.record({ ...asker, act: 'extend', outcome: 'done', key, ...entry })
  const container = containerInWords(house, asker, containerId)
  await house.slack.privately(place, renderKept(end, endsAt, container, house.config.roles))
}

/** @param endsAt - Undefined: for good. @throws UserError where a colleague has to approve it again, or it lasts too long. */
function mayLast(
  { config, now }: House,
  { userId }: SlackUser,
  end: End,
  endsAt = Number.POSITIVE_INFINITY,
) {
  const { flags, giverId, askerId } = end
  const lastsMs = endsAt - now()
  const timed = flags.filter(
    (flag) => isFlag(flag) && (config.timedFlags[flag] ?? lastsMs) < lastsMs,
  )
  if (timed.length > 0) throw new UserError(`${timed.join(', ')} can’t last that long here.`)
  const asked = config.approval.flags.filter((flag) => flags.includes(flag))
  const isApprover = userId === giverId && giverId !== askerId
  if (asked.length > 0 && !isApprover)
    throw new UserError(
      `A colleague has to approve ${asked.join(', ')} for longer. Ask again with /grant once it has ended.`,
    )
}

async function endNow(house: House, { asker, place }: From, end: End): Promise<void> {
  const { slack, config, slowMs } = house
  const token = await house.tokens.find(asker)
  if (token === undefined)
    throw new UserError('Connect your account with /alert connect first, then try again.')
  const tryId = `${end.id}:now ${randomUUID()}`
  const saySlow = () => slack.privately(place, say('Taking it back …')).catch(() => undefined)
  const taking = takeBack(house, end, { asker, token }, tryId, true)
  const outcome = await whenSlow(taking, slowMs, saySlow)
  const where = containerInWords(house, asker, end.containerId)
  const why = outcome?.kind === 'not-done' && refusals[outcome.code]('your', where, 'take-back')
  if (outcome?.kind === 'done') {
    const isAlready = outcome.on === 'already'
    const what = whatEnds(end, config.roles)
    return slack.privately(place, renderEnded([called(end.whom)], what, where, isAlready))
  }
  const unsure = 'Monitoring doesn’t show yet that it’s gone. I’ll keep trying.'
  await slack.privately(place, say(why ? `Not ended: ${why.join('. ')}` : unsure))
}

/**
 * *I’m done* and *Hand back now*: whoever has it gives it up, with the account of whoever gave it, who agreed to that.
 * Others take it back with their own.
 */
export async function handBack(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value, view } = pressed
  const end = await findEnd(house, pressed, value)
  const address = (await house.slack.people.whoIs(asker.userId))?.email
  if (!address || !isSameAddress(address, end.whom.email)) return endNow(house, pressed, end)
  await house.storage.ends.change(end, endingAtStep(house.now()))
  house.poller.wake()
  // Home shows that it is on its way; the next word is that it is gone.
  if (view) return
  const thanks = say('Thanks. I’m taking it back, and I’ll say so once monitoring shows it.')
  await house.slack.privately(place, thanks, { replaces: place.pressedTs !== undefined })
}

export async function listDue(house: House, { asker, place }: From): Promise<void> {
  await house.slack.privately(place, renderDue(await dueFor(house, asker), house.config.roles))
}

/** What somebody gave, asked for or has that ends by itself, soonest first. */
export async function dueFor(house: House, person: SlackUser): Promise<readonly DueEnd[]> {
  const all = await house.storage.ends.list({ workspaceId: person.workspaceId })
  const address =
    all.length === 0 ? undefined : (await house.slack.people.whoIs(person.userId))?.email
  return all
    .flatMap((end) => {
      const isGiven = end.giverId === person.userId || end.askerId === person.userId
      const isTheirs = address !== undefined && isSameAddress(address, end.whom.email)
      // One that is just being made comes back should that fail.
      const isUnderWay = end.endsAt <= house.now() && end.tries === 0
      if ((!isGiven && !isTheirs) || isUnderWay) return []
      return [
        { end, isTheirs: !isGiven, container: containerInWords(house, person, end.containerId) },
      ]
    })
    .toSorted((one, other) => one.end.endsAt - other.end.endsAt)
}
