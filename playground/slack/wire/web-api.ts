// The Web API: which methods there are, who may call them, with what arguments.
import { Refused } from '../check/refused.ts'
import { update } from '../methods/change.ts'
import { info, members } from '../methods/conversations.ts'
import { type Answer, requireScope } from '../methods/method.ts'
import { authTest, lookupByEmail, usersInfo } from '../methods/people.ts'
import { postEphemeral, postMessage } from '../methods/post.ts'
import { type Method, reference } from '../methods/reference.ts'
import { unfurl } from '../methods/unfurl.ts'
import { viewsOpen, viewsPublish, viewsUpdate } from '../methods/views.ts'
import { type Json, text } from '../model/json.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** By the name of the method. */
export type Answers = Readonly<Record<string, Answer>>

const answers: Answers = {
  'auth.test': authTest,
  'chat.postMessage': postMessage,
  'chat.postEphemeral': postEphemeral,
  'chat.update': update,
  'chat.unfurl': unfurl,
  'conversations.info': info,
  'conversations.members': members,
  'users.info': usersInfo,
  'users.lookupByEmail': lookupByEmail,
  'views.open': viewsOpen,
  'views.update': viewsUpdate,
  'views.publish': viewsPublish,
}

/**
 * Answers one call as Slack would. @throws Refused
 *
 * @param bearer - From the Authorization header; the `token` argument stands in for it.
 * @param ofApp - Methods that only the running simulator can answer, and that take the app-level token.
 */
export function callMethod(
  name: string,
  args: Json,
  bearer: string | undefined,
  workspace: Workspace,
  ofApp: Answers,
): Json {
  const kind = Object.hasOwn(ofApp, name) ? 'app' : 'bot'
  const answer = kind === 'app' ? ofApp[name] : Object.hasOwn(answers, name) && answers[name]
  const method = reference.get(name)
  if (!answer || !method) throw new Refused('unknown_method', [], { req_method: name })
  // An app-level token counts in the header alone (slackapi/node-slack-sdk#1498).
  if (kind === 'app' && args.token !== undefined) throw new Refused('invalid_auth')
  checkToken(method, kind, bearer ?? text(args.token), workspace)
  // The SDK names the team on every call.
  const { token: _token, team_id: teamId, ...rest } = args
  if (teamId !== undefined && teamId !== workspace.teamId)
    throw new Refused('team_access_not_granted')
  const errors = argumentErrors(method, rest)
  if (errors.length > 0) throw new Refused('invalid_arguments', errors)
  return answer(rest, workspace)
}

function checkToken(
  { scopes }: Method,
  taken: 'app' | 'bot',
  token: string | undefined,
  { botToken, appToken, options }: Workspace,
): void {
  if (!token) throw new Refused('not_authed')
  const kind = token === botToken ? 'bot' : token === appToken ? 'app' : undefined
  if (!kind) throw new Refused('invalid_auth')
  if (kind !== taken) throw new Refused('not_allowed_token_type')
  if (scopes.length > 0)
    requireScope(scopes, kind === 'bot' ? options.botScopes : options.appScopes)
}

function argumentErrors({ required, optional }: Method, args: Json): string[] {
  const missing = required.filter((name) => args[name] === undefined || args[name] === '')
  const unknown = Object.keys(args).filter(
    (name) => !required.includes(name) && !optional.includes(name),
  )
  return [
    ...missing.map((name) => `missing required field: ${name}`),
    ...unknown.map((name) => `invalid additional property: ${name}`),
  ]
}
