// Answers lines of `/grant`, wherever they are typed.
import { listDue } from '../ends/buttons.ts'
import { UserError } from '../errors.ts'
import { askToInvite } from '../grant/again.ts'
import { openChangeForm, openForm } from '../grant/form.ts'
import {
  askOrSend,
  askToChange,
  type ChangeAsk,
  endsFor,
  findRecipients,
} from '../grant/granting.ts'
import { type GrantAsk, parseGrant } from '../grant/input/line.ts'
import { renderHelp, renderMeanings, renderProblems, renderRoles } from '../grant/render/help.ts'
import { understand } from '../grant/understand.ts'
import { listWho } from '../grant/who.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import type { ActionRequest, CommandRequest } from '../slack/guard/requests.ts'
import { answering, type LineRoute } from '../slack/routes.ts'
import { runInstead } from './alert.ts'

type ChangeTyped = Extract<GrantAsk, { readonly terms: unknown }>

const formNeeded = 'Open the form to choose who gets which access.'

const readOnly: ReadonlySet<string> = new Set(['form', 'who', 'due'])

export function grantCommand({ config }: House, line: string): LineRoute {
  const asked = parseGrant(line, config)
  if (asked.kind === 'help') return answering('grant', renderHelp(config))
  if (asked.kind === 'roles') return answering('grant', renderRoles(config.roles))
  // A line with problems counts as one that writes: once it is understood, it may give access.
  const mayWrite = !readOnly.has(asked.kind)

  return {
    about: 'grant',
    isReadOnly: !mayWrite,
    isKept: mayWrite,
    async run(house, request) {
      if (asked.kind !== 'problems') return perform(house, request, line, asked)
      const found = await understand(house, request.asker, line)
      if (found.kind === 'meant') return perform(house, request, line, found.ask, found.notes)
      noteOutcome('user-error')
      if (found.kind === 'choice')
        return request.answer(renderMeanings(`${request.id}:chosen`, found.choices))
      const hasForm = found.command !== 'who' && found.command !== 'due'
      return request.answer(renderProblems(found.problems, line, hasForm))
    },
  }
}

/**
 * Runs the meaning that somebody chose for their line. All buttons of the message carry the same request id. So
 * whichever buttons are pressed, only one meaning is sent, and only once.
 */
export async function chooseMeaning(house: House, pressed: ActionRequest): Promise<void> {
  const [, id = '', line = ''] = /^(.*?:chosen) (.*)$/s.exec(pressed.value) ?? []
  await runInstead(house, { ...pressed, id }, grantCommand(house, line))
}

/**
 * @param line - As typed. @param notes - Tell how the line was read, if it isn’t in the exact form. With notes, nothing is
 * sent before the asker has confirmed.
 * @throws UserError if somebody who was mentioned can’t be given access.
 */
async function perform(
  house: House,
  request: CommandRequest,
  line: string,
  ask: GrantAsk,
  notes: readonly string[] = [],
) {
  const { id, triggerId, asker } = request
  const named = 'grantees' in ask ? ask.grantees : []
  const { people, origins, problems } = await findRecipients(house, named)
  if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))

  const all = [...notes, ...origins]
  switch (ask.kind) {
    case 'help':
      return request.answer(renderHelp(house.config))
    case 'roles':
      return request.answer(renderRoles(house.config.roles))
    case 'due':
      return listDue(house, request, {
        containerId: ask.containerId,
        emails: people.map(({ email }) => email),
      })
    case 'who':
      return listWho(house, request, ask)
    case 'form':
      if (triggerId === undefined) return request.answer(renderProblems([formNeeded], line, true))
      return openForm(house, { ...request, triggerId }, ask.prefill)
    case 'change':
    case 'remove':
      return askToChangeOrOpenForm(house, request, ask, { sought: people, notes: all })
    case 'invite':
      return askToInvite(house, request, { id, access: { ...ask.terms, people }, notes: all })
    case 'grant': {
      const access = { ...ask.terms, people, ends: await endsFor(house, asker, ask.ends) }
      // Slack gives each command its own id. A command that arrives twice has the same id, and is sent once.
      return askOrSend(house, request, { id, access, notes: all })
    }
    default:
      return ask satisfies never
  }
}

/**
 * Asks whether to make a change or a removal. If the line names a person but no change, it opens the form of the change.
 * @throws UserError if no change is named and no form can open, as in a message to the bot.
 */
async function askToChangeOrOpenForm(
  house: House,
  request: CommandRequest,
  ask: ChangeTyped,
  whom: Pick<ChangeAsk, 'sought' | 'notes'>,
) {
  const { id, triggerId } = request
  const terms = { ...ask.terms, ends: await endsFor(house, request.asker, ask.ends) }
  const { permissions, takes = [], member, containerId } = terms
  const saysWhatChanges =
    ask.kind === 'remove' || member !== undefined || permissions.length + takes.length > 0
  if (saysWhatChanges) return askToChange(house, request, { id, terms, ...whom })
  const [only] = whom.sought
  if (triggerId === undefined || only === undefined)
    throw new UserError('Say what changes: a role, or flags behind + and -, such as +BILLING.')
  await openChangeForm(house, { ...request, triggerId }, containerId, only)
}
