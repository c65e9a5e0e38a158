// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { Command, CommandRequest } from '../slack/guard/requests.ts'
import { namelessIn } from '../slack/text/typed.ts'
import type { People } from '../slack/workspace/people.ts'
import { openForm } from './form/form.ts'
import { confirmFirst, keepAndSend, keepWish, needsApproval } from './granting.ts'
import { type GrantAsk, parseGrant } from './line/line.ts'
import { findRecipients } from './recipients.ts'
import { confirmReasons } from './render/confirm.ts'
import { renderFormOffer, renderHelp, renderProblems, renderRoles } from './render/help.ts'
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

async function answer(room: GrantRoom, request: CommandRequest, ask: GrantAsk): Promise<void> {
  const { people, settings } = room
  switch (ask.kind) {
    case 'help':
      return request.answer(renderHelp(settings))
    case 'roles':
      return request.answer(renderRoles(settings.roles))
    case 'problems': {
      endsAs('user-error')
      const { asker, text } = request
      const handles = await handlesIn(people.in(asker.workspaceId), text)
      return request.answer(renderProblems(ask.problems, text, handles))
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
      const wish = { ...ask.request, emails }
      // Slack gives each command an id of its own, so a replayed command is the same intent.
      const { id } = request
      const reasons = needsApproval(room, wish) ? [] : confirmReasons(wish, profiles)
      if (reasons.length === 0) {
        return keepAndSend(
          room,
          request,
          id,
          wish,
          { showsLine: false, replaces: false },
          { origins: profiles },
        )
      }
      const keptId = await keepWish(room, request, id, wish)
      return confirmFirst(room, request, keptId, wish, reasons)
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
