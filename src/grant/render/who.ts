// Lists of who is on a container: people with most sensitive flags first, and what each may do. Pure.

import { type End, endsAmong } from '../../ends/states.ts'
import type { ContainerPerson } from '../../monitor/schema.ts'
import {
  moreButton,
  type Page,
  pageOf,
  partOf,
  type Row,
  renderPage,
  sectionRow,
} from '../../slack/outbound/list.ts'
import { button, type Message, note } from '../../slack/outbound/message.ts'
import { nameInLine } from '../../slack/person.ts'
import { cut, date, escapeText, literal, plain, seconds } from '../../slack/text/mrkdwn.ts'
import { readId } from '../../slack/text/typed.ts'
import type { Listed } from '../access.ts'
import { accessName, isRole } from '../access-name.ts'
import type { WhoAsk } from '../input/line.ts'
import { inOrder, isFlag, type Roles, sensitiveFlags } from '../roles.ts'

export const whoActions = {
  more: 'grant.who-more',
  person: 'grant.who-person',
  uninvite: 'grant.uninvite',
} as const

/** Characters: four lines on a phone. */
const longestWords = 200

export interface WhoList {
  /** “Customer 1 (12)”. Raw. */
  readonly container: string
  /** How many people monitoring shows on the container. */
  readonly total: number
  /** People who were asked for, in the service’s order. */
  readonly people: readonly ContainerPerson[]
  readonly invites: readonly Listed[]
  /** Ends of access on the container: each says when a person’s access is taken back. */
  readonly ends: readonly End[]
  readonly ask: WhoAsk
}

/** The list: people, then invitations. */
export function renderWho(roles: Roles, list: WhoList): Message {
  const { people, invites, ends, ask } = list
  // Flags are counted once for each person: sorting thousands compares each of them many times.
  const sorted = people
    .map((person) => ({ person, sensitive: sensitiveIn(person).length }))
    .toSorted((one, other) => other.sensitive - one.sensitive || byName(one.person, other.person))

  const rows = [
    ...sorted.map(
      ({ person }) =>
        () =>
          personRow(roles, ask.containerId, person, ends),
    ),
    ...invites.map((one) => () => inviteRow(roles, ask.containerId, one)),
  ]

  const page = pageOf(rows, (draw) => draw(), ask.after)
  const heading = peopleHeadline(roles, list, page)
  const more = moreButton(page, whoActions.more, (after) => whoLine({ ...ask, after }))

  return renderPage(page, escapeText(heading), { buttons: [more] }, 'others may be hidden')
}

/** “7 people on Customer 1 (12)”, “2 of 7 people on … with WEBHOOKS”, “137 people on … · 21 to 40 of 137”. */
function peopleHeadline(
  roles: Roles,
  { container, total, people, ask }: WhoList,
  page: Page,
): string {
  const some = people.length === total ? '' : `${people.length} of `
  const all = total === 1 ? '1 person' : `${total} people`
  const has = ask.flags ? ` with ${accessName(ask.flags, roles)}` : ''
  const part = page.rows.length === page.all ? '' : ` · ${partOf(page)}`

  return `${some}${all} on ${container}${has}${part}`
}

const byName = (one: ContainerPerson, other: ContainerPerson) =>
  one.name.localeCompare(other.name, 'en')

function sensitiveIn({ permissions }: Listed) {
  return inOrder(permissions).filter((flag) => sensitiveFlags.has(flag))
}

/** A person’s row, in plain text, as names may hold markup. Access from a parent has no menu: it can’t be changed here. */
function personRow(
  roles: Roles,
  containerId: number,
  one: ContainerPerson,
  ends: readonly End[],
): Row {
  const { id, name, email, inherit, mute } = one
  const first = [nameInLine(name) || `user ${id}`, email ?? 'address hidden'].join(' · ')
  const marks = [inherit && 'from a parent container', mute && 'muted'].filter(Boolean)
  const second = [holdsWords(one, roles), ...marks].join(' · ')
  const option = (label: string, what: string) => ({
    text: plain(label),
    value: `${what} ${containerId} ${id}`,
  })

  const options = [option('Change…', 'change'), option('Remove…', 'remove')]
  const edit = {
    type: 'overflow' as const,
    action_id: whoActions.person,
    options,
  }

  const row = sectionRow(
    literal(`${cut(first, longestWords)}\n${cut(second, longestWords)}`),
    inherit ? undefined : edit,
  )

  const known = {
    userId: id,
    email,
    authProvider: one.authProvider,
  }

  const until = endsAmong(ends, known).flatMap((end) => untilWords(end, one, roles))

  return until.length === 0 ? row : { ...row, blocks: [...row.blocks, note(until.join(' · '))] }
}

/** “until today 3:00 PM”; “WEBHOOKS until …” if the person keeps other access. In mrkdwn. */
function untilWords(end: End, one: ContainerPerson, roles: Roles): readonly string[] {
  const has = (flag: string) => end.flags.includes(flag)
  const part = one.permissions.filter(has)
  const isMembership = end.member && one.member
  if (part.length === 0 && !isMembership) return []

  const isAll = part.length === one.permissions.length && isMembership === one.member
  const what = part.length === 0 ? 'membership' : escapeText(accessName(part, roles))

  return [`${isAll ? '' : `${what} `}until ${date(seconds(end.endsAt))}`]
}

/** “Viewer and WEBHOOKS ⚠️”; of a role that holds sensitive flags, “Admin ⚠️ 6 sensitive flags”. */
function holdsWords(one: Listed, roles: Roles): string {
  const name = accessName(one.permissions, roles)
  const sensitive = sensitiveIn(one)
  if (sensitive.length === 0) return name

  const count = sensitive.length === 1 ? '1 sensitive flag' : `${sensitive.length} sensitive flags`

  return isRole(one.permissions, roles) ? `${name} ⚠️ ${count}` : `${name} ⚠️`
}

function inviteRow(roles: Roles, containerId: number, one: Listed): Row {
  const { email = '' } = one
  const words = `Invited: ${email}, as ${holdsWords(one, roles)}`
  const withdraw = button(whoActions.uninvite, 'Withdraw invitation', `${containerId} ${email}`)

  return sectionRow(literal(cut(words, 2 * longestWords)), withdraw)
}

/** The value of *Show more*. It names no person: a list of one person has one page. */
function whoLine({ containerId, after, flags = [] }: WhoAsk): string {
  return [containerId, after, ...flags].join(' ')
}

export function readWhoLine(line: string): WhoAsk | undefined {
  const [container = '', after = '', ...words] = line.split(' ')
  const containerId = readId(container)
  const flags = words.filter(isFlag)
  if (containerId === undefined) return undefined

  return { containerId, after: Number(after), flags: flags.length === 0 ? undefined : flags }
}
