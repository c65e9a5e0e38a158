// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import type { People } from '../slack/people.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { CommandRequest } from '../slack/requests.ts'
import type { OpenForm } from './form.ts'
import type { Granting } from './granting.ts'
import { parseGrant } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import type { TooMany } from './recipients.ts'
import { confirmReasons } from './render-confirm.ts'
import { renderFormOffer, renderHelp, renderPresets, renderProblems } from './render-help.ts'
import { resolve } from './resolve.ts'

export type GrantCommand = (request: CommandRequest) => Promise<void>

export function createGrantCommand(room: {
  readonly granting: Granting
  readonly people: PerWorkspace<People>
  readonly openForm: OpenForm
  readonly settings: GrantSettings
  readonly tooMany: TooMany
}): GrantCommand {
  const { granting, people, openForm, settings, tooMany } = room
  return async (request) => {
    const ask = parseGrant(request.text, settings)
    switch (ask.kind) {
      case 'help':
        return request.answer(renderHelp(settings))
      case 'presets':
        return request.answer(renderPresets(settings.presets))
      case 'problems':
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
        const tooSoon = tooMany(request.asker, emails)
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
}
