// views.open, views.update and views.publish.
import { Refused } from '../check/refused.ts'
import { viewErrors } from '../check/view.ts'
import { type Json, parsed, record, text } from '../model/json.ts'
import type { View } from '../model/model.ts'
import { viewPayload } from '../payloads/payloads.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Answer } from './method.ts'

/** Source: error `view_too_large`. */
const VIEW_BYTES = 250_000

/** The view is checked before the trigger, so that a wrong view does not use it up. */
export const viewsOpen: Answer = (args, workspace) => {
  const content = contentOf(args, 'modal')
  const trigger = workspace.triggers.exchange(args.trigger_id)
  if (typeof trigger === 'string') throw new Refused(trigger)
  const { userId, channelId } = trigger
  return answerWith(workspace.views.open({ userId, channelId, content }), workspace)
}

export const viewsUpdate: Answer = (args, workspace) => {
  const view = workspace.views.find(text(args.view_id) ?? '')
  const content = contentOf(args, view?.type ?? 'modal')
  if (!view) throw new Refused('not_found')
  checkHash(args, view)
  workspace.views.update(view, content)
  return answerWith(view, workspace)
}

export const viewsPublish: Answer = (args, workspace) => {
  const userId = text(args.user_id) ?? ''
  const content = contentOf(args, 'home')
  if (!workspace.members.has(userId)) throw new Refused('user_not_found')
  checkHash(args, workspace.views.home(userId))
  return answerWith(workspace.views.publish(userId, content), workspace)
}

function contentOf({ view }: Json, surface: 'modal' | 'home'): Json {
  const content = record(parsed(view))
  const errors = viewErrors(content, surface)
  if (errors.length > 0) throw new Refused('invalid_arguments', errors)
  if (JSON.stringify(content).length > VIEW_BYTES) throw new Refused('view_too_large')
  return content
}

function checkHash({ hash }: Json, view: View | undefined): void {
  if (hash !== undefined && hash !== view?.hash) throw new Refused('hash_conflict')
}

function answerWith(view: View, workspace: Workspace): Json {
  return { ok: true, view: viewPayload(view, workspace) }
}
