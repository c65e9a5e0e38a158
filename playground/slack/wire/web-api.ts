// The Web API: which methods there are, who may call them, with what arguments.

import { update } from '../methods/change.ts'
import { info, members } from '../methods/conversations.ts'
import { type Method, refuse, refuseWith } from '../methods/method.ts'
import { authTest, lookupByEmail, usersInfo } from '../methods/people.ts'
import { postEphemeral, postMessage } from '../methods/post.ts'
import { unfurl } from '../methods/unfurl.ts'
import { viewsOpen, viewsPublish, viewsUpdate } from '../methods/views.ts'
import { type Json, text } from '../model/json.ts'
import type { Workspace } from '../workspace/workspace.ts'

const methods: ReadonlyMap<string, Method> = new Map(
  [
    authTest,
    postMessage,
    postEphemeral,
    update,
    info,
    members,
    unfurl,
    usersInfo,
    lookupByEmail,
    viewsOpen,
    viewsUpdate,
    viewsPublish,
  ].map((method) => [method.name, method]),
)

/**
 * Answers one call as Slack would.
 *
 * @param bearer - From the Authorization header; the `token` argument stands in for it.
 * @param more - Methods that only the running simulator can answer.
 */
export function callMethod(
  name: string,
  args: Json,
  bearer: string | undefined,
  workspace: Workspace,
  more: readonly Method[],
): Json {
  const method = methods.get(name) ?? more.find((one) => one.name === name)
  if (!method) return refuse('unknown_method', { req_method: name })
  // An app-level token counts in the header alone (slackapi/node-slack-sdk#1498).
  if (method.token === 'app' && args.token !== undefined) return refuse('invalid_auth')
  const lacking = refuseToken(method, bearer ?? text(args.token), workspace)
  if (lacking) return lacking
  // The SDK names the team on every call.
  const { token: _token, team_id: teamId, ...rest } = args
  if (teamId !== undefined && teamId !== workspace.teamId) return refuse('team_access_not_granted')
  const errors = argumentErrors(method, rest)
  if (errors.length > 0) return refuseWith('invalid_arguments', errors)
  return method.answer(rest, workspace)
}

function refuseToken(method: Method, token: string | undefined, workspace: Workspace): Json | undefined {
  if (!token) return refuse('not_authed')
  const kind = token === workspace.botToken ? 'bot' : token === workspace.appToken ? 'app' : undefined
  if (!kind) return refuse('invalid_auth')
  if (kind !== method.token) return refuse('not_allowed_token_type')
  const provided = kind === 'bot' ? workspace.options.botScopes : workspace.options.appScopes
  const isAllowed = method.scopes.length === 0 || method.scopes.some((scope) => provided.includes(scope))
  if (isAllowed) return undefined
  return refuse('missing_scope', { needed: method.scopes.join(','), provided: provided.join(',') })
}

function argumentErrors(method: Method, args: Json): string[] {
  const known = new Set([...method.required, ...method.optional])
  return [
    ...method.required
      .filter((name) => args[name] === undefined || args[name] === '')
      .map((name) => `missing required field: ${name}`),
    ...Object.keys(args)
      .filter((name) => !known.has(name))
      .map((name) => `invalid additional property: ${name}`),
  ]
}
