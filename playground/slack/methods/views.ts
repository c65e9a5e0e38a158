// views.open, views.update and views.publish.
import { viewErrors } from '../check/view.ts'
import { type Json, record, text } from '../model/json.ts'
import type { Trigger, View } from '../model/model.ts'
import { viewPayload } from '../workspace/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Method, refuse, refuseWith, structured } from './method.ts'

/** Source: error `view_too_large`. */
const VIEW_BYTES = 250_000

export const viewsOpen: Method = {
  name: 'views.open',
  token: 'bot',
  scopes: [],
  required: ['view', 'trigger_id'],
  optional: [],
  answer: (args, workspace) =>
    withTrigger(args, workspace, (content, { userId, channelId }) =>
      answerWith(workspace.views.open({ userId, channelId, content }), workspace),
    ),
}

export const viewsUpdate: Method = {
  name: 'views.update',
  token: 'bot',
  scopes: [],
  required: ['view', 'view_id'],
  optional: ['hash'],
  answer: (args, workspace) => {
    const view = workspace.views.find(text(args.view_id) ?? '')
    const content = record(structured(args.view))
    const wrong = refusal(content, view?.type ?? 'modal')
    if (wrong) return wrong
    if (!view) return refuse('not_found')
    if (args.hash !== undefined && args.hash !== view.hash) return refuse('hash_conflict')
    workspace.views.update(view, content)
    return answerWith(view, workspace)
  },
}

export const viewsPublish: Method = {
  name: 'views.publish',
  token: 'bot',
  scopes: [],
  required: ['view', 'user_id'],
  optional: ['hash'],
  answer: (args, workspace) => {
    const userId = text(args.user_id) ?? ''
    const content = record(structured(args.view))
    const home = workspace.views.home(userId)
    const wrong = refusal(content, 'home')
    if (wrong) return wrong
    if (!workspace.members.has(userId)) return refuse('user_not_found')
    if (args.hash !== undefined && args.hash !== home?.hash) return refuse('hash_conflict')
    return answerWith(workspace.views.publish(userId, content), workspace)
  },
}

/** The view is checked before the trigger, so that a wrong view does not use it up. */
function withTrigger(args: Json, workspace: Workspace, use: (content: Json, trigger: Trigger) => Json): Json {
  const content = record(structured(args.view))
  const wrong = refusal(content, 'modal')
  if (wrong) return wrong
  const trigger = workspace.triggers.exchange(args.trigger_id)
  return typeof trigger === 'string' ? refuse(trigger) : use(content, trigger)
}

function refusal(content: Json, surface: 'modal' | 'home'): Json | undefined {
  const errors = viewErrors(content, surface)
  if (errors.length > 0) return refuseWith('invalid_arguments', errors)
  return JSON.stringify(content).length > VIEW_BYTES ? refuse('view_too_large') : undefined
}

function answerWith(view: View, workspace: Workspace): Json {
  return { ok: true, view: viewPayload(view, workspace) }
}
