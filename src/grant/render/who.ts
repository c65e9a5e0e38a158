// Lists of who is on a container: sensitive flags first, and what each may do. Pure.
import type { KnownBlock } from '@slack/types'
import type { ContainerPerson } from '../../monitor/schema.ts'
import { type End, endsOf } from '../../send/ends.ts'
import { button, describe, type Message, note, section } from '../../slack/outbound/message.ts'
import { nameInLine } from '../../slack/person.ts'
import { cut, date, escapeText, literal, plain, seconds } from '../../slack/text/mrkdwn.ts'
import { readId } from '../../slack/text/typed.ts'
import type { WhoAsk } from '../change-line.ts'
import type { Listed } from '../people.ts'
import { inOrder, isFlag, type Roles, roleOf, sensitiveFlags } from '../roles.ts'
import { accessName } from '../words.ts'

export const whoActions = {
  more: 'grant.who-more',
  person: 'grant.who-person',
  uninvite: 'grant.uninvite',
} as const

const mostListed = 20
/** With a heading and a note they are fewer blocks than Slack’s 50. */
const mostInvited = 20
/** Four lines of a phone. */
const longestWords = 200

export interface WhoList {
  /** “Customer 1 (12)”. Raw. */
  readonly container: string
  /** How many people monitoring shows there. */
  readonly total: number
  /** People meant, in the service’s order. */
  readonly people: readonly ContainerPerson[]
  readonly invites: readonly Listed[]
  /** Of all containers. */
  readonly ends: readonly End[]
  readonly ask: WhoAsk
}

export function renderWho(
  roles: Roles,
  { container, total, people, invites, ends, ask }: WhoList,
): Message {
  const sorted = people.toSorted(
    (one, other) => sensitiveIn(other).length - sensitiveIn(one).length || byName(one, other),
  )
  const next = ask.after + mostListed
  const shown = sorted.slice(ask.after, next)
  const more =
    next < sorted.length
      ? [button(whoActions.more, 'Show more', whoLine({ ...ask, after: next }))]
      : []
  const headline = headlineFor({ container, total, people, ask }, shown.length)
  const listed = ask.after === 0 ? invites.slice(0, mostInvited) : []
  const left = ask.after === 0 ? invites.length - listed.length : 0
  const blocks: KnownBlock[] = [
    section(`*${escapeText(headline)}* · others may be hidden`),
    ...shown.flatMap((one) => personBlocks(roles, ask.containerId, one, ends)),
    ...describe({ buttons: more }).blocks,
    ...listed.map((one) => inviteBlock(roles, ask.containerId, one)),
    ...(left > 0 ? [note(`${left} more invitations are in monitoring.`)] : []),
  ]
  return { text: escapeText(`${headline}. Others may be hidden.`), blocks }
}

/** “7 people on Customer 1 (12)”, “2 of 7 people on … have WEBHOOKS”, “21 to 40 of 137 people on …”. */
function headlineFor(
  { container, total, people, ask }: Omit<WhoList, 'invites' | 'ends'>,
  count: number,
): string {
  const isWhole = count === people.length
  const of = isWhole ? total : people.length
  const part = isWhole ? String(count) : `${ask.after + 1} to ${ask.after + count}`
  const some = isWhole && count === total ? '' : `${part} of `
  const flag = ask.flag === undefined ? '' : ` ${people.length === 1 ? 'has' : 'have'} ${ask.flag}`
  return `${some}${of === 1 ? '1 person' : `${of} people`} on ${container}${flag}`
}

const byName = (one: ContainerPerson, other: ContainerPerson) =>
  one.name.localeCompare(other.name, 'en')

function sensitiveIn({ permissions }: Listed) {
  return inOrder(permissions).filter((flag) => sensitiveFlags.has(flag))
}

/** Plain text: nothing in others’ words becomes markup. Whoever comes from a parent can’t be changed here. */
function personBlocks(
  roles: Roles,
  containerId: number,
  one: ContainerPerson,
  ends: readonly End[],
): readonly KnownBlock[] {
  const { id, name, email, inherit, mute } = one
  const first = [nameInLine(name) || `user ${id}`, email ?? 'address hidden'].join(' · ')
  const marks = [inherit && 'from a parent container', mute && 'muted'].filter(Boolean)
  const second = [holdsWords(one, roles), ...marks].join(' · ')
  const option = (label: string, what: string) => ({
    text: plain(label),
    value: `${what} ${containerId} ${id}`,
  })
  const options = [option('Change…', 'change'), option('Remove…', 'remove')]
  const edit = { type: 'overflow' as const, action_id: whoActions.person, options }
  const shown = section(
    literal(`${cut(first, longestWords)}\n${cut(second, longestWords)}`),
    inherit ? undefined : edit,
  )
  const until = endsOf(ends, containerId, one).flatMap((end) => endWords(end, one, roles))
  return until.length === 0 ? [shown] : [shown, note(until.join(' · '))]
}

/** “until today 3:00 PM”; “WEBHOOKS until …” where they keep the rest. In mrkdwn. */
function endWords(end: End, one: ContainerPerson, roles: Roles): readonly string[] {
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
  const isRole =
    one.permissions.every(isFlag) && roleOf(inOrder(one.permissions), roles) !== undefined
  const count = sensitive.length === 1 ? '1 sensitive flag' : `${sensitive.length} sensitive flags`
  return isRole ? `${name} ⚠️ ${count}` : `${name} ⚠️`
}

function inviteBlock(roles: Roles, containerId: number, one: Listed): KnownBlock {
  const { email = '' } = one
  const words = `Invited: ${email}, as ${holdsWords(one, roles)}`
  const withdraw = button(whoActions.uninvite, 'Withdraw invitation', `${containerId} ${email}`)
  return section(literal(cut(words, 2 * longestWords)), withdraw)
}

/** The value of *Show more*. */
function whoLine({ containerId, after, grantee, flag }: WhoAsk): string {
  return [containerId, after, flag ?? '', grantee ?? ''].join(' ')
}

export function readWhoLine(line: string): WhoAsk | undefined {
  const [container = '', after = '', flag = '', grantee = ''] = line.split(' ')
  const containerId = readId(container)
  const rest = { flag: isFlag(flag) ? flag : undefined, grantee: grantee || undefined }
  return containerId === undefined ? undefined : { containerId, after: Number(after) || 0, ...rest }
}
