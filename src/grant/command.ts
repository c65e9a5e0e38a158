// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { Command, CommandRequest } from '../slack/guard/requests.ts'
import { openForm } from './form/form.ts'
import { confirmFirst, keepWish, needsApproval, sendKept } from './granting.ts'
import { type GrantAsk, parseGrant } from './line/line.ts'
import { resolve } from './line/resolve.ts'
import { chargeRecipients } from './recipients.ts'
import { confirmReasons } from './render/confirm.ts'
import { renderFormOffer, renderHelp, renderPresets, renderProblems } from './render/help.ts'
import type { GrantRoom } from './room.ts'

/** What changes nothing may come twice. */
const tellingKinds: ReadonlySet<GrantAsk['kind']> = new Set(['help', 'presets', 'problems', 'form'])

export function grantCommand(room: GrantRoom): Command<GrantAsk> {
  return {
    parse: (line) => parseGrant(line, room.settings),
    isFree: () => false,
    onlyTells: ({ kind }) => tellingKinds.has(kind),
    run: (request, ask) => answer(room, request, ask),
  }
}

async function answer(room: GrantRoom, request: CommandRequest, ask: GrantAsk): Promise<void> {
  const { people, settings, limit } = room
  switch (ask.kind) {
    case 'help':
      return request.answer(renderHelp(settings))
    case 'presets':
      return request.answer(renderPresets(settings.presets))
    case 'problems':
      endsAs('user-error')
      return request.answer(renderProblems(ask.problems, request.text))
    case 'form': {
      const { triggerId } = request
      if (triggerId === undefined) return request.answer(renderFormOffer(request.text))
      return openForm(room, { ...request, triggerId }, ask.prefill)
    }
    case 'grant': {
      const { emails, profiles, problems } = await resolve(people.in(request.asker.workspaceId), ask.grantees)
      if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
      const tooSoon = await chargeRecipients(limit, request.asker, emails)
      if (tooSoon !== undefined) throw new UserError(tooSoon)
      const wish = { ...ask.request, emails }
      // Slack gives each command an id of its own, so a replayed command is the same intent.
      const id = await keepWish(room, request, request.id, wish)
      const reasons = needsApproval(room, wish) ? [] : confirmReasons(wish, profiles)
      if (reasons.length > 0) return confirmFirst(room, request, id, wish, reasons)
      return sendKept(room, request, id, { showsLine: false, replaces: false }, { origins: profiles })
    }
    default:
      return ask satisfies never
  }
}
