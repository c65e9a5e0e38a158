// `/grant` and its words, wherever they are typed.
import { listDue } from '../ends/buttons.ts'
import { UserError } from '../errors.ts'
import { askToChange } from '../grant/changing.ts'
import { openChangeForm, openForm } from '../grant/form.ts'
import { askOrSend, endsFor, findRecipients } from '../grant/granting.ts'
import { type GrantAsk, parseGrant } from '../grant/line.ts'
import { renderFormOffer, renderHelp, renderProblems, renderRoles } from '../grant/render/help.ts'
import { listWho } from '../grant/who.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { knownTo } from '../names/field.ts'
import type { CommandRequest } from '../slack/guard/requests.ts'
import type { Message } from '../slack/outbound/message.ts'
import { answering, type LineRoute } from '../slack/routes.ts'

type AskOf<Kind extends GrantAsk['kind']> = Extract<GrantAsk, { readonly kind: Kind }>

export function grantCommand({ config }: House, line: string): LineRoute {
  const asked = parseGrant(line, config)
  if (asked.kind === 'help') return answering('grant', renderHelp(config))
  if (asked.kind === 'roles') return answering('grant', renderRoles(config.roles))
  if (asked.kind === 'problems' && !asked.mayName) return answering('grant', problemsMessage(asked))
  // A word that may be a container’s name makes it a grant once the name is known.
  const mayGrant = asked.kind !== 'form' && asked.kind !== 'who' && asked.kind !== 'due'
  return {
    about: 'grant',
    isReadOnly: !mayGrant,
    isKept: mayGrant,
    async run(house, request) {
      const isNamed = asked.kind === 'problems'
      const ask = isNamed ? parseGrant(line, config, await knownTo(house, request.asker)) : asked
      if (ask.kind === 'grant') return grant(house, request, ask)
      if (ask.kind === 'due') return listDue(house, request)
      if (ask.kind === 'who') return listWho(house, request, ask.ask)
      if (ask.kind === 'change' || ask.kind === 'remove') return change(house, request, ask)
      if (ask.kind === 'problems') return request.answer(problemsMessage(ask))
      const { triggerId } = request
      if (ask.kind !== 'form' || triggerId === undefined)
        return request.answer(renderFormOffer(line))
      return openForm(house, { ...request, triggerId }, ask.prefill)
    },
  }
}

function problemsMessage({ problems, line }: AskOf<'problems'>): Message {
  noteOutcome('user-error')
  return renderProblems(problems, line)
}

/** @throws UserError where somebody who was mentioned can't be given access. */
async function grant(house: House, request: CommandRequest, ask: AskOf<'grant'>): Promise<void> {
  const { people, profiles } = await peopleMeant(house, ask.grantees)
  const access = { ...ask.request, people, ...(await endsFor(house, request.asker, ask.ends)) }
  // Slack gives each command an id of its own, so a replayed command is the same intent.
  await askOrSend(house, request, { id: request.id, access }, profiles)
}

/** @throws UserError likewise, and where a message is to open a form. */
async function change(
  house: House,
  request: CommandRequest,
  ask: AskOf<'change' | 'remove'>,
): Promise<void> {
  const { people: sought, profiles: origins } = await peopleMeant(house, ask.grantees)
  const { id, triggerId } = request
  const terms = { ...ask.terms, ...(await endsFor(house, request.asker, ask.ends)) }
  const { permissions, takes = [], member, containerId } = terms
  const isWhole =
    ask.kind === 'remove' || member !== undefined || permissions.length + takes.length > 0
  if (isWhole) return askToChange(house, request, { id, terms, sought, origins })
  const [only] = sought
  if (triggerId === undefined || only === undefined)
    throw new UserError('Say what changes: a role, or flags behind + and -, such as +BILLING.')
  await openChangeForm(house, { ...request, triggerId }, { containerId }, only)
}

async function peopleMeant(house: House, grantees: readonly string[]) {
  const { emails, profiles, problems } = await findRecipients(house, grantees)
  if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
  return { people: emails.map((email) => ({ email })), profiles }
}
