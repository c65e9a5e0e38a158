// Commands of `/alert`: whatever input.ts has read of the line, typed or mentioned, is answered here or handed on.

import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { Command, CommandRequest } from '../slack/guard/requests.ts'
import { renderTextBack, say, withTextBack } from '../slack/outbound/message.ts'
import { type ActAsk, type AlertAsk, type AssignAsk, type Lookup, parseAlertLine } from './input.ts'
import { lookUpAsked, openLookUpForm, refuseToken } from './look-up.ts'
import { renderFormOffer, renderHelp } from './render/help.ts'
import { renderMistyped } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'

/** Raw. */
export const onlyReads =
  'Bellhop only reads alerts here. Whoever runs it has set MONITOR_OPERATIONS to basic, so use monitoring itself.'

type Answer = (request: CommandRequest) => Promise<void>

/** Answers to `/alert` that others give as well: `app` puts them together, the look-up and *Watch* among them. */
export interface Elsewhere {
  /** `/alert connect` and `/alert disconnect`, which accounts answer. */
  readonly connect: Answer
  readonly disconnect: Answer
  /** `/alert <key>` and `/alert <key> watch`. */
  readonly show: (request: CommandRequest, lookup: Lookup) => Promise<void>
  /** `/alert comment` and `/alert close`; undefined where Bellhop changes nothing at the service. */
  readonly act: ((request: CommandRequest, ask: ActAsk) => Promise<void>) | undefined
  /** `/alert assign`; likewise. */
  readonly assign: ((request: CommandRequest, ask: AssignAsk) => Promise<void>) | undefined
  /** `/alert watches`. */
  readonly listWatches: Answer
  /** `/alert doctor`. */
  readonly examine: Answer
}

/** Words that change nothing: they may come twice, and are answered while nothing can be written down. */
const readOnlyKinds: ReadonlySet<AlertAsk['kind']> = new Set([
  ...(['help', 'form', 'watches', 'doctor', 'problem', 'token'] as const),
])

const atOnceKinds: ReadonlySet<AlertAsk['kind']> = new Set(['help', 'problem', 'token'])
/** Whoever has no account is asked to connect one, and nobody else is asked anything. */
const withTokenKinds: ReadonlySet<AlertAsk['kind']> = new Set(['look-up', 'act', 'assign'])

export function alertCommand(room: AlertRoom, elsewhere: Elsewhere): Command<AlertAsk> {
  return {
    parse: (line) => parseAlertLine(line, room.settings.alertUrl, room.settings.canAct),
    // Whoever wants their token forgotten need not wait for it.
    isUnlimited: ({ kind }) => kind === 'disconnect',
    isReadOnly: ({ kind }) => readOnlyKinds.has(kind),
    isAtOnce: ({ kind }, userId) =>
      atOnceKinds.has(kind) || (withTokenKinds.has(kind) && !room.account.tokens.wasFound(userId)),
    run: (request, ask) => answerAsk(room, elsewhere, request, ask),
  }
}

async function answerAsk(
  room: AlertRoom,
  elsewhere: Elsewhere,
  request: CommandRequest,
  ask: AlertAsk,
): Promise<void> {
  switch (ask.kind) {
    case 'help':
      return request.answer(renderHelp(room.settings.alertUrl, elsewhere.act !== undefined))
    case 'connect':
      return elsewhere.connect(request)
    case 'disconnect':
      return elsewhere.disconnect(request)
    case 'watches':
      return elsewhere.listWatches(request)
    case 'doctor':
      return elsewhere.examine(request)
    case 'form':
      return openForm(room, request)
    case 'act':
      if (elsewhere.act === undefined) return refuseToAct(room, request, ask.message)
      return elsewhere.act(request, ask)
    case 'assign':
      if (elsewhere.assign === undefined) return refuseToAct(room, request, ask.message)
      return elsewhere.assign(request, ask)
    case 'token':
      return refuseToken(room, request)
    case 'problem':
      return answerProblem(request, ask)
    case 'look-up':
      return lookUpAsked(room, request, ask, (lookup) => elsewhere.show(request, lookup))
    default:
      return ask satisfies never
  }
}

/** The text comes back. @throws UserError where there is none, or it holds the asker's token. */
async function refuseToAct(
  { account }: AlertRoom,
  { asker, answer }: CommandRequest,
  message: string,
): Promise<void> {
  const token = await account.tokens.find(asker)
  if (message === '' || (token !== undefined && message.includes(token))) throw new UserError(onlyReads)
  endsAs('user-error')
  await answer(renderTextBack(onlyReads, message))
}

/** @throws UserError where there is nothing but a sentence. */
function answerProblem(
  { answer }: CommandRequest,
  { problem, meant, said = '' }: Extract<AlertAsk, { kind: 'problem' }>,
): Promise<void> {
  if (meant === undefined && said === '') throw new UserError(problem)
  endsAs('user-error')
  const message = meant === undefined ? say(problem) : renderMistyped(problem, meant)
  return answer(withTextBack(message, said))
}

async function openForm(room: AlertRoom, { asker, triggerId, answer }: CommandRequest): Promise<void> {
  if (triggerId === undefined) return answer(renderFormOffer())
  await openLookUpForm(room, { asker, triggerId })
}
