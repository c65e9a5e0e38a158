// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { Command, CommandRequest } from '../slack/guard/requests.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { People } from '../slack/workspace/people.ts'
import type { OpenForm } from './form.ts'
import type { Granting } from './granting.ts'
import { type GrantAsk, parseGrant } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import type { TooMany } from './recipients.ts'
import { confirmReasons } from './render-confirm.ts'
import { renderFormOffer, renderHelp, renderPresets, renderProblems } from './render-help.ts'
import { resolve } from './resolve.ts'

/** What changes nothing may come twice. */
const tellingKinds: ReadonlySet<GrantAsk['kind']> = new Set(['help', 'presets', 'problems', 'form'])

export function createGrantCommand(room: {
  readonly granting: Granting
  readonly people: PerWorkspace<People>
  readonly openForm: OpenForm
  readonly settings: GrantSettings
  readonly tooMany: TooMany
}): Command {
  const { granting, people, openForm, settings, tooMany } = room

  async function answer(request: CommandRequest, ask: GrantAsk): Promise<void> {
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
        return openForm({ ...request, triggerId }, ask.prefill)
      }
      case 'grant': {
        const { emails, profiles, problems } = await resolve(
          people.in(request.asker.workspaceId),
          ask.grantees,
        )
        if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
        const tooSoon = await tooMany(request.asker, emails)
        if (tooSoon !== undefined) throw new UserError(tooSoon)
        const wish = { ...ask.request, emails }
        // Slack gives each command an id of its own, so a replayed command is the same intent.
        const id = await granting.keep(request, request.id, wish)
        const reasons = granting.needsApproval(wish) ? [] : confirmReasons(wish, profiles)
        if (reasons.length > 0) return granting.confirmFirst(request, id, wish, reasons)
        return granting.send(request, id, { showsLine: false, replaces: false }, profiles)
      }
      default:
        return ask satisfies never
    }
  }

  return (line) => {
    const ask = parseGrant(line, settings)
    return { isFree: false, onlyTells: tellingKinds.has(ask.kind), run: (request) => answer(request, ask) }
  }
}
