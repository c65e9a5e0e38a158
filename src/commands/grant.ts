// The words of `/grant`, wherever they are written.
import { UserError } from '../errors.ts'
import { knownTo, openForm } from '../grant/form/form.ts'
import { askOrSend, findRecipients } from '../grant/granting.ts'
import { type GrantAsk, parseGrant } from '../grant/line/line.ts'
import { renderFormOffer, renderHelp, renderProblems, renderRoles } from '../grant/render/help.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import type { CommandRequest } from '../slack/guard/requests.ts'
import type { Message } from '../slack/outbound/message.ts'
import { answering, type Reading } from '../slack/routes.ts'
import { namelessIn } from '../slack/text/typed.ts'

type Asked<Kind extends GrantAsk['kind']> = Extract<GrantAsk, { readonly kind: Kind }>

export function grantCommand({ config }: House, line: string): Reading {
  const asked = parseGrant(line, config)
  if (asked.kind === 'help') return answering('grant', renderHelp(config))
  if (asked.kind === 'roles') return answering('grant', renderRoles(config.roles))
  if (asked.kind === 'problems' && !asked.mayName && namelessIn(asked.line).length === 0)
    return answering('grant', problemsOf(asked))
  return {
    about: 'grant',
    isReadOnly: !mayGrant(asked),
    isKept: mayGrant(asked),
    async run(house, request) {
      const ask = await withNames(house, request, asked)
      switch (ask.kind) {
        case 'help':
        case 'roles':
          // Answered at once.
          return
        case 'problems':
          return request.answer(problemsOf(ask, await handlesIn(house, ask.line)))
        case 'form': {
          const { triggerId } = request
          if (triggerId === undefined) return request.answer(renderFormOffer(request.text))
          return openForm(house, { ...request, triggerId }, ask.prefill)
        }
        case 'grant':
          return grant(house, request, ask)
        default:
          return ask satisfies never
      }
    },
  }
}

/** A line once more, where a word of it may be the name of a container: whose names those are is known by now. */
async function withNames(house: House, { asker }: CommandRequest, ask: GrantAsk): Promise<GrantAsk> {
  if (ask.kind !== 'problems' || !ask.mayName) return ask
  return parseGrant(ask.line, house.config, await knownTo(house, asker))
}

/** A word that may be the name of a container makes it a grant once that is known. */
function mayGrant(ask: GrantAsk): boolean {
  return ask.kind === 'grant' || (ask.kind === 'problems' && ask.mayName)
}

function problemsOf({ problems, line }: Asked<'problems'>, handles?: ReadonlyMap<string, string>): Message {
  endsAs('user-error')
  return renderProblems(problems, line, handles)
}

/** Handles of those whom a line has by their ids alone, as messages do; without those whom Slack does not name. */
async function handlesIn({ slack }: House, line: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    namelessIn(line).map(
      async (userId) => [userId, (await slack.people.identityOf(userId))?.handle] as const,
    ),
  )
  return new Map(found.flatMap(([userId, handle]) => (handle === undefined ? [] : [[userId, handle]])))
}

/** @throws UserError where somebody who was mentioned can't be given access. */
async function grant(house: House, request: CommandRequest, ask: Asked<'grant'>): Promise<void> {
  const { emails, profiles, problems } = await findRecipients(house, ask.grantees)
  if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
  const access = { ...ask.request, emails }
  // Slack gives each command an id of its own, so a replayed command is the same intent.
  await askOrSend(house, request, { id: request.id, access }, { origins: profiles })
}
