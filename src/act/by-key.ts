// `/alert assign`, `comment` and `close`: acts on an alert that is named by its key or its link, on a line or in a form.
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import type { ActAsk, AssignAsk } from '../alert/input.ts'
import { type AlertLink, alertLinkSchema } from '../alert/link.ts'
import { findByLink, refuseToken } from '../alert/look-up.ts'
import { noAlertMatches, noLinksThere, severalMatch } from '../alert/render/no-card.ts'
import { OwnToken, sayingWhenSlow } from '../alert/show.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { setAbout } from '../log/request.ts'
import { onlyWithAddress } from '../names/own-id.ts'
import { peopleOf } from '../names/people.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { assignMe, goOnAssigning } from './assign/assign.ts'
import { containerFor } from './assign/candidates.ts'
import { unknownPerson } from './assign/prompts.ts'
import { assignTo, type WantedAssign } from './assign/wanted.ts'
import { actOn, goOnActing, holdsOwnToken } from './sending.ts'
import { orTextBack, textToSend } from './text.ts'

/** What somebody asks, and the id of that: the same however often Slack delivers it. */
export interface AskedAct {
  readonly id: string
  readonly ask: ActAsk
  /** As in `WantedAct`. */
  readonly answerForm?: (() => Promise<void>) | undefined
}

/** `/alert comment` and `/alert close`, wherever they are typed. */
export async function actByLine(house: House, request: CommandRequest, ask: ActAsk): Promise<void> {
  setAbout('act')
  await actAsked(house, request, { id: request.id, ask })
}

/** `/alert assign`, wherever it is typed. */
export async function assignByLine(house: House, request: CommandRequest, ask: AssignAsk): Promise<void> {
  setAbout('act')
  await assignAsked(house, request, { id: request.id, ask }, request.triggerId)
}

/** An act whose alert is not found yet. Once it is, the act waits in sending.ts. */
const waitingForKey = z.object({
  id: z.string(),
  ask: z.object({
    act: z.enum(['comment', 'close']),
    which: z.object({ link: alertLinkSchema }),
    message: z.string(),
    isSolution: z.boolean(),
  }),
})

const waitingAssign = z.object({
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

/** Goes on with whatever waited here or further on, once an account is connected. */
export async function resumeAct(house: House, from: From, { ask }: Resumed): Promise<void> {
  setAbout('act')
  if (await goOnAssigning(house, from, ask)) return
  const assign = waitingAssign.safeParse(ask)
  if (assign.success) return assignAsked(house, from, assign.data.line, undefined)
  const asked = waitingForKey.safeParse(ask)
  return asked.success ? actAsked(house, from, asked.data) : goOnActing(house, from, ask)
}

/** Sends nothing of what holds the asker's own token; a text that cannot be sent comes back. */
export function actAsked(house: House, from: From, asked: AskedAct): Promise<void> {
  return orTextBack(house, from, asked.ask.message, () => actOnNamed(house, from, asked))
}

async function actOnNamed(house: House, from: From, { id, ask, answerForm }: AskedAct): Promise<void> {
  // Finding the alert and naming people takes longer than a form can wait.
  if ('link' in ask.which || namelessIn(ask.message).length > 0) await answerForm?.()
  const token = await house.tokens.find(from.asker)
  if (token !== undefined && isTokenIn(ask, token)) return refuseToken(house, from)
  const { which } = ask
  if ('ks' in which) return actOn(house, from, { id, write: writeFor(ask, which.ks), answerForm })
  // Named before it waits for an account.
  const { act: kind } = ask
  const message = await textToSend(house, from, { kind, message: ask.message })
  if (message === undefined) return
  const named = { ...ask, message }
  const waits: z.infer<typeof waitingForKey> = { id, ask: { ...named, which } }
  let ks: string | undefined
  await withToken(house, from, { feature: 'act', ask: waits }, async (found) => {
    ks = await keyOfLink(house, from, found, which.link)
  })
  if (ks !== undefined) await actOn(house, from, { id, write: writeFor(named, ks), answerForm })
}

function writeFor({ act, message, isSolution }: ActAsk, ks: string): AlertWrite {
  const about = { ks, message, shown: undefined, senderId: undefined, cardId: undefined }
  return act === 'comment' ? { kind: 'comment', ...about } : { kind: 'close', ...about, isSolution }
}

interface AskedAssign {
  readonly id: string
  readonly ask: AssignAsk
}

/** As `actAsked`. @param triggerId - Opens a form, should one be needed. */
function assignAsked(
  house: House,
  from: From,
  asked: AskedAssign,
  triggerId: string | undefined,
): Promise<void> {
  return orTextBack(house, from, asked.ask.message, () => assignNamed(house, from, asked, triggerId))
}

async function assignNamed(
  house: House,
  from: From,
  { id, ask }: AskedAssign,
  triggerId: string | undefined,
): Promise<void> {
  const { which, to } = ask
  const waits: z.infer<typeof waitingAssign> = { line: { id, ask: { which, to, message: ask.message } } }
  await withToken(house, from, { feature: 'act', ask: waits }, async (token) => {
    if (isTokenIn(ask, token)) return refuseToken(house, from)
    const message = await textToSend(house, from, { kind: 'assign', message: ask.message })
    if (message === undefined) return
    const ks = 'ks' in which ? which.ks : await keyOfLink(house, from, token, which.link)
    if (ks === undefined) return
    const wanted: WantedAssign = { id, ks, message, shown: undefined, cardId: undefined, isOnCard: false }
    if (holdsOwnToken(wanted, token)) return refuseToken(house, from)
    if (to === 'me') return assignMe(house, from, wanted, triggerId)
    if ('userId' in to) return actOn(house, from, assignTo(wanted, to.userId))
    await actOn(house, from, assignTo(wanted, await userOf(house, from, token, wanted, to.slackId)))
  })
}

/** True where the token is part of what was typed. Checked first, so that a link with a token is sent nowhere. */
function isTokenIn({ message, which }: Pick<ActAsk, 'message' | 'which'>, token: string): boolean {
  const typed = [message, ...Object.values(which).flatMap((part) => Object.values(part))]
  return typed.some((text) => typeof text === 'string' && text.includes(token))
}

/** Undefined where its asker was told why not. @throws UserError where no key is found. */
async function keyOfLink(
  house: House,
  from: From,
  token: string,
  link: AlertLink,
): Promise<string | undefined> {
  try {
    const found = await findByLink(house, from.asker, token, link)
    if (found.kind === 'one') return found.ks
    if (found.kind === 'several') throw new UserError(severalMatch)
    throw new UserError(found.kind === 'off' ? noLinksThere : noAlertMatches)
  } catch (error) {
    if (!(error instanceof OwnToken)) throw error
    await refuseToken(house, from)
    return undefined
  }
}

/**
 * Who somebody in Slack is at the service: as they are known, else whoever has their Slack address among the container's
 * people that the asker's token shows.
 * @throws UserError where nobody can tell.
 */
async function userOf(
  house: House,
  from: From,
  token: string,
  wanted: WantedAssign,
  slackId: string,
): Promise<number> {
  const { workspaceId, userId } = from.asker
  const linked = await house.storage.ownIds.find({ workspaceId, userId: slackId })
  if (linked?.isMatched || (linked !== undefined && slackId === userId)) return linked.userId
  const [identity, container] = await Promise.all([
    house.slack.people.identityOf(slackId),
    sayingWhenSlow(
      house,
      from,
      { ks: wanted.ks, answer: 'here' },
      containerFor(house, { workspaceId, userId }, token, wanted),
    ),
  ])
  const email = identity?.email
  const people =
    email === undefined || container === undefined ? [] : await peopleIn(house, from, token, container)
  const only = onlyWithAddress(people, email)
  if (only !== undefined) return only.id
  throw new UserError(unknownPerson(identity?.name))
}

async function peopleIn(house: House, { asker }: From, token: string, containerId: number) {
  try {
    const found = await peopleOf(house, asker, token, containerId)
    return found.kind === 'listed' ? found.people : []
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code === 'refused') throw error
    return []
  }
}
