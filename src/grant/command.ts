// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { ActionRequest, Command, CommandRequest } from '../slack/guard/requests.ts'
import { namelessIn } from '../slack/text/typed.ts'
import type { People } from '../slack/workspace/people.ts'
import { openForm } from './form/form.ts'
import { confirmFirst, keepAndSend, keepWish, needsApproval } from './granting.ts'
import { type GrantAsk, parseGrant } from './line/line.ts'
import { chargeRecipients, findRecipients } from './recipients.ts'
import { confirmReasons } from './render/confirm.ts'
import {
  notYourLine,
  readRun,
  renderFormOffer,
  renderHelp,
  renderProblems,
  renderRoles,
} from './render/help.ts'
import type { GrantRoom } from './room.ts'

/** Kinds that change nothing. */
const readOnlyKinds: ReadonlySet<GrantAsk['kind']> = new Set(['help', 'roles', 'problems', 'form'])

const atOnceKinds: ReadonlySet<GrantAsk['kind']> = new Set(['help', 'roles', 'problems'])

export function grantCommand(room: GrantRoom): Command<GrantAsk> {
  return {
    parse: (line) => parseGrant(line, room.settings),
    isUnlimited: () => false,
    isReadOnly: ({ kind }) => readOnlyKinds.has(kind),
    // Whoever has no account is asked to connect one.
    isAtOnce: ({ kind }, userId) =>
      atOnceKinds.has(kind) || (kind === 'grant' && !room.account.tokens.wasFound(userId)),
    run: (request, ask) => answer(room, request, ask),
  }
}

/**
 * Runs the mended line that a button holds, as if its presser had typed it: read, charged, confirmed and sent like any
 * other, once, under the id of the command that it stands for.
 * @throws UserError for anybody but the one who typed it.
 */
export async function runMended(room: GrantRoom, pressed: ActionRequest): Promise<void> {
  const mended = readRun(pressed.value)
  if (mended === undefined) return
  if (mended.userId !== pressed.asker.userId) {
    throw new UserError(notYourLine)
  }
  const { line, id } = mended
  await answer(room, { ...pressed, text: line, id }, parseGrant(line, room.settings), true)
}

/** @param replaces - What it becomes takes the place of the message whose button was pressed. */
async function answer(
  room: GrantRoom,
  request: CommandRequest,
  ask: GrantAsk,
  replaces = false,
): Promise<void> {
  const { people, settings, limit } = room
  switch (ask.kind) {
    case 'help':
      return request.answer(renderHelp(settings))
    case 'roles':
      return request.answer(renderRoles(settings.roles))
    case 'problems': {
      endsAs('user-error')
      const { problems, mended: line } = ask
      const { asker, id, text } = request
      const handles = await handlesIn(people.in(asker.workspaceId), text)
      const mended = line === undefined ? undefined : { line, id, userId: asker.userId }
      return request.answer(renderProblems({ problems, line: text, handles, mended }))
    }
    case 'form': {
      const { triggerId } = request
      if (triggerId === undefined) return request.answer(renderFormOffer(request.text))
      return openForm(room, { ...request, triggerId }, ask.prefill)
    }
    case 'grant': {
      const { emails, profiles, problems } = await findRecipients(
        people.in(request.asker.workspaceId),
        ask.grantees,
      )
      if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
      const tooSoon = await chargeRecipients(limit, request.asker, emails)
      if (tooSoon !== undefined) throw new UserError(tooSoon)
      const wish = { ...ask.request, emails }
      // Slack gives each command an id of its own, so a replayed command is the same intent.
      const { id } = request
      const reasons = needsApproval(room, wish) ? [] : confirmReasons(wish, profiles)
      if (reasons.length === 0) {
        return keepAndSend(room, request, id, wish, { showsLine: false, replaces }, { origins: profiles })
      }
      const keptId = await keepWish(room, request, id, wish)
      return confirmFirst(room, request, keptId, wish, reasons, { replaces })
    }
    default:
      return ask satisfies never
  }
}

/** Handles of those whom a line has by their ids alone, as messages do; without those whom Slack does not name. */
async function handlesIn(people: People, line: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    namelessIn(line).map(async (userId) => [userId, (await people.identityOf(userId))?.handle] as const),
  )
  return new Map(found.flatMap(([userId, handle]) => (handle === undefined ? [] : [[userId, handle]])))
}
