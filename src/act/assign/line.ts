// `/alert assign`, wherever it is typed: finds which alert is meant, and who in monitoring is to get it.
import { z } from 'zod'
import { withToken } from '../../account/connect-first.ts'
import { OwnToken, refuseToken } from '../../alert/asking/token.ts'
import { findByLink } from '../../alert/follow-link.ts'
import type { AssignAsk } from '../../alert/input.ts'
import { alertLinkSchema } from '../../alert/link.ts'
import { sayingWhenSlow } from '../../alert/look-up.ts'
import { noAlertMatches, noLinksThere, severalMatch } from '../../alert/render/link-choice.ts'
import { MonitorError, UserError } from '../../errors.ts'
import { isAbout } from '../../log/request.ts'
import { isSameAddress } from '../../monitor/schema.ts'
import { ownIdKnown } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import { whileFinding } from '../../send/telling.ts'
import type { CommandRequest, From } from '../../slack/guard/requests.ts'
import type { ActRoom } from '../room.ts'
import { actOn, holdsOwnToken } from '../sending.ts'
import { textToSend } from '../text.ts'
import { assignMe } from './assign.ts'
import { containerFor } from './candidates.ts'
import { unknownPerson } from './render.ts'
import { assignTo, intentOf, type WantedAssign } from './wanted.ts'

const waitingLine = z.object({
  line: z.object({
    id: z.string(),
    ask: z.object({
      which: z.union([z.object({ ks: z.string() }), z.object({ link: alertLinkSchema })]),
      to: z.union([
        z.literal('me'),
        z.object({ slackId: z.string() }),
        z.object({ userId: z.number().int().positive() }),
      ]),
      message: z.string(),
    }),
  }),
})

export async function assignByLine(room: ActRoom, request: CommandRequest, ask: AssignAsk): Promise<void> {
  const { asker, place, id, triggerId } = request
  await assignAsked(room, { asker, place }, { id, ask, triggerId })
}

/** Goes on once an account is connected; false where something else waited. */
export async function goOnWithLine(room: ActRoom, from: From, waited: unknown): Promise<boolean> {
  const read = waitingLine.safeParse(waited)
  if (read.success) await assignAsked(room, from, { ...read.data.line, triggerId: undefined })
  return read.success
}

async function assignAsked(
  room: ActRoom,
  from: From,
  {
    id,
    ask,
    triggerId,
  }: { readonly id: string; readonly ask: AssignAsk; readonly triggerId: string | undefined },
): Promise<void> {
  isAbout('act')
  const { which, to } = ask
  const waits: z.infer<typeof waitingLine> = { line: { id, ask: { which, to, message: ask.message } } }
  await withToken(room.account, from, { feature: 'act', ask: waits }, async (token) => {
    const typed = [ask.message, ...Object.values(which).flatMap((part) => Object.values(part))]
    if (typed.some((text) => typeof text === 'string' && text.includes(token))) return refuseToken(room, from)
    const message = await textToSend(room, from, { kind: 'assign', message: ask.message, isSolution: false })
    if (message === undefined) return
    const ks = 'ks' in which ? which.ks : await keyOfLink(room, from, token, which.link)
    if (ks === undefined) return
    const wanted: WantedAssign = { id, ks, message, shown: undefined, cardId: undefined, isOnCard: false }
    if (holdsOwnToken(wanted, token)) return refuseToken(room, from)
    if (to === 'me') return assignMe(room, from, wanted, triggerId)
    if ('userId' in to) return actOn(room, from, assignTo(wanted, to.userId))
    const intent = intentOf(from, wanted, 'somebody')
    await whileFinding(room.send, intent, async () => {
      const ownerId = await userOf(room, from, token, wanted, to.slackId)
      await actOn(room, from, { ...assignTo(wanted, ownerId), replaces: intent.id })
    })
  })
}

/** Undefined where its asker was told why not. @throws UserError where no key is found. */
async function keyOfLink(
  room: ActRoom,
  from: From,
  token: string,
  link: z.infer<typeof alertLinkSchema>,
): Promise<string | undefined> {
  try {
    const found = await findByLink(room.alert, from.asker, token, link)
    if (found.kind === 'one') return found.ks
    if (found.kind === 'several') throw new UserError(severalMatch)
    throw new UserError(found.kind === 'off' ? noLinksThere : noAlertMatches)
  } catch (error) {
    if (!(error instanceof OwnToken)) throw error
    await refuseToken(room, from)
    return undefined
  }
}

/**
 * Who somebody in Slack is at the service: as they have proven themselves, else whoever has their Slack address among
 * the container's people that the asker's token shows.
 * @throws UserError where nobody can tell.
 */
async function userOf(
  room: ActRoom,
  from: From,
  token: string,
  wanted: WantedAssign,
  slackId: string,
): Promise<number> {
  const { workspaceId, userId } = from.asker
  const linked = await ownIdKnown(room.names, { workspaceId, userId: slackId })
  if (linked?.isProven || (linked !== undefined && slackId === userId)) return linked.userId
  const [identity, container] = await Promise.all([
    room.people.in(workspaceId).identityOf(slackId),
    sayingWhenSlow(
      room.alert,
      from,
      { ks: wanted.ks, answer: 'here' },
      containerFor(room, { workspaceId, userId }, token, wanted),
    ),
  ])
  const email = identity?.email
  const people =
    email === undefined || container === undefined ? [] : await listed(room, from, token, container)
  const [only, ...others] = people.filter((one) => one.email && email && isSameAddress(one.email, email))
  if (only !== undefined && others.length === 0) return only.id
  throw new UserError(unknownPerson(identity?.name))
}

async function listed({ names }: ActRoom, { asker }: From, token: string, containerId: number) {
  try {
    const found = await peopleOf(names, asker, token, containerId)
    return found.kind === 'listed' ? found.people : []
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code === 'refused') throw error
    return []
  }
}
