// Messages about access that ends by itself: before it, once it has, and while nobody can end it; and the list of it. Pure.
import { nameOf } from '../grant/access.ts'
import { whatEnds } from '../grant/access-name.ts'
import { endActions, endMenu } from '../grant/render/lasting.ts'
import type { Roles } from '../grant/roles.ts'
import {
  moreButton,
  pageOf,
  partOf,
  type Row,
  renderPage,
  sectionRow,
} from '../slack/outbound/list.ts'
import { bold, button, describe, type Message, say, words } from '../slack/outbound/message.ts'
import { cut, date, escapeText, richDateWithin, seconds } from '../slack/text/mrkdwn.ts'
import { type End, isPassing } from './states.ts'

/** An end as its reader may know it. */
export interface Shown {
  readonly end: End
  /** Raw. */
  readonly container: string
  /** Choices of the reader: make it last, ask for more time, or give up what is their own. Undefined of a channel. */
  readonly may: 'extend' | 'ask' | 'give up' | undefined
}

export interface DueEnd extends Shown {
  readonly may: NonNullable<Shown['may']>
}

/** *I’m done*, or the menu; nothing where a channel reads it. */
function editOf({ end: { id }, may }: Shown) {
  if (may === 'give up') return button(endActions.done, 'I’m done', id)
  return may && endMenu(id, may === 'extend')
}

/** Before they end. One has its buttons; for more there is a list. @param whose - Account that ends them: “your”. */
export function renderSoon(all: readonly Shown[], whose: string, roles: Roles): Message {
  const isTheirs = ({ may }: Shown) => may === 'give up'
  const whatOf = ({ end, container }: Shown) => `${whatEnds(end, roles)} on ${container}`
  const lines = byPerson(
    all,
    (one) => `${isTheirs(one)} ${one.end.endsAt} ${whatOf(one)}`,
    ({ end }) => nameOf(end.whom),
  ).map(({ one, who, has }) => [
    words(isTheirs(one) ? `Your ${whatOf(one)} ends ` : `${who} ${has} ${whatOf(one)} until `),
    richDateWithin(seconds(one.end.endsAt)),
    '.',
  ])

  const then = all.every(isTheirs) ? '' : `Then it is taken back with ${whose} account.`
  const isList = all.length > 1
  return describe({
    lines: [...lines, then, isList ? 'To change one of these, type /grant due.' : ''],
    buttons: isList ? [] : all.map(editOf),
  })
}

/** In one, those that differ by person alone: “2 people (dave@…, erin@…) have”. */
function byPerson<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  nameOf: (one: T) => string | undefined,
) {
  return [...Map.groupBy(all, keyOf).values()].flatMap((alike) => {
    const names = [...new Set(alike.map(nameOf))]
    const isOne = names.length === 1
    const who = isOne ? names.join() : `${names.length} people (${names.join(', ')})`
    return alike.slice(0, 1).map((one) => ({ one, who, has: isOne ? 'has' : 'have' }))
  })
}

/** Access that somebody no longer has, as its reader may know it. */
export interface Gone {
  /** Raw; undefined where it was the reader’s own. */
  readonly who: string | undefined
  /** “Viewer”. */
  readonly what: string
  /** Raw. */
  readonly container: string
  /** Somebody else had taken it away. */
  readonly isAlready?: boolean
  /** When monitoring has shown that, in milliseconds since 1970; missing where that was in time. */
  readonly lateAt?: number | undefined
}

/** Says what has ended, to whoever gave it, asked for it or had it. */
export function renderEnded(all: readonly Gone[]): Message {
  const late = Math.max(0, ...all.map(({ lateAt = 0 }) => lateAt))
  const asOf = late > 0 ? [', as of ', richDateWithin(seconds(late))] : []
  const lines = byPerson(
    all,
    ({ who, what, container, isAlready }) =>
      JSON.stringify([who === undefined, isAlready, what, container]),
    ({ who }) => who,
  ).map(({ one: { who: whose, what, container, isAlready }, who, has }) => {
    const where = `${what} on ${container}`
    if (whose === undefined) return [words(`Your ${where} has ended`), ...asOf, '.']
    const [shown, then] = isAlready
      ? [`monitoring doesn’t show ${who} with ${where}`, '. Nothing was sent.']
      : [`${who} no longer ${has} ${where}. Monitoring shows it`, '.']
    return [bold('✅ Ended: '), words(shown), ...asOf, then]
  })
  return describe({ lines })
}

/** In place of what stood there, for a reader who hears below what has ended. */
export function renderSettled(): Message {
  return say('✅ This has ended.')
}

/** Below an alert that is closed. */
export function renderHandBack(end: End, container: string, roles: Roles): Message {
  const still = `The alert is closed. ${nameOf(end.whom)} has ${whatEnds(end, roles)} on ${container} until `
  return describe({
    lines: [[still, richDateWithin(seconds(end.endsAt)), '.']],
    buttons: [button(endActions.done, 'Hand back now', end.id)],
  })
}

/** Access that nobody’s account ends, or ended; or of which nobody can tell whether it is gone. @param whose - As before. */
export function renderStuck(
  { end, container }: Shown,
  whose: string,
  isOver: boolean,
  roles: Roles,
): Message {
  const { id, whom, endsAt, why = isOver ? 'uncertain' : undefined } = end
  const what = `${whatEnds(end, roles)} on ${container}`
  const removeNow = button(endActions.edit, 'Remove now', `now ${id}`, 'danger')
  if (why === 'not-listed') {
    const lost = whom.there === undefined ? 'doesn’t show' : 'no longer shows'
    const gone = `⚠️ Monitoring ${lost} ${nameOf(whom)} to ${whose} account`
    return describe({
      lines: [[bold(gone), `, so I can’t tell whether their ${what} is gone. Look there.`]],
      buttons: [removeNow, button(endActions.gone, 'It’s gone', id)],
    })
  }

  const account = `${whose} account ${why === undefined ? 'is gone' : 'can’t take it back'}`
  const because = why && isPassing(why) ? 'monitoring doesn’t show that it’s gone' : account
  const should = `It should ${isOver ? 'have ended' : 'end'} `
  return describe({
    lines: [
      [bold(`⚠️ ${nameOf(whom)} still has ${what}.`)],
      [should, richDateWithin(seconds(endsAt)), `, but ${because}.`],
    ],
    buttons: [removeNow],
  })
}

/** A row with what can be done about it, in a list and on the Home tab. */
export function dueRow(roles: Roles) {
  return (due: DueEnd): Row => {
    const { end, container, may } = due
    const who = may === 'give up' ? 'You' : nameOf(end.whom)
    const what = escapeText(cut(`${who} · ${whatEnds(end, roles)} on ${container}`, 300))
    return sectionRow(`${what}\nuntil ${date(seconds(end.endsAt))}`, editOf(due))
  }
}

/** The container and the people that `/grant due` is asked about; without either, all. */
export interface DueOf {
  readonly containerId: number | undefined
  readonly emails: readonly string[]
}

/** `/grant due`, soonest first. @param after - So many are on the pages before. */
export function renderDue(
  due: readonly DueEnd[],
  roles: Roles,
  { containerId, emails }: DueOf,
  after = 0,
): Message {
  const isAll = containerId === undefined && emails.length === 0
  if (due.length === 0) return say(isAll ? nothingDue : nothingLikeThat)

  const page = pageOf(due, dueRow(roles), after)
  const heading = `Access that ends by itself: ${partOf(page)}`
  const more = moreButton(page, endActions.more, (next) =>
    [next, containerId ?? '', emails.join()].join(' '),
  )
  return renderPage(page, heading, { buttons: [more] })
}

const nothingDue = 'You haven’t given any access that ends by itself, and have none.'
const nothingLikeThat = 'Nothing like that ends by itself. /grant due alone lists all of it.'

/** Reads what *Show more* carries: “20 12 dave@example.com”. */
export function readDuePage(value: string): { readonly of: DueOf; readonly after: number } {
  const [after, containerId, emails = ''] = value.split(' ')
  return {
    of: {
      containerId: containerId ? Number(containerId) : undefined,
      emails: emails === '' ? [] : emails.split(','),
    },
    after: Number(after),
  }
}

/** Says what somebody keeps. @param endsAt - Undefined: for good. */
export function renderKept(shown: Shown, endsAt: number | undefined, roles: Roles): Message {
  const { end, container, may } = shown
  const who = may === 'give up' ? 'You keep' : `${nameOf(end.whom)} keeps`
  const what = `${who} ${whatEnds(end, roles)} on ${container} `
  if (endsAt === undefined) return describe({ lines: [`${what}for good.`] })
  return describe({
    lines: [[`${what}until `, richDateWithin(seconds(endsAt)), '.']],
    buttons: [editOf(shown)],
  })
}

/** Says that it is gone where somebody has looked, and no read shows it. @param by - Who says so. */
export function renderGone(end: End, container: string, by: string, roles: Roles): Message {
  const shown = `${nameOf(end.whom)} no longer has ${whatEnds(end, roles)} on ${container}, says ${by}.`
  return describe({ lines: [[bold('✅ Gone: '), words(shown)]] })
}

/** *Remove now*, where the presser’s token doesn’t list them: only all of it can be taken, by their number. */
export function renderRemoveUnlisted({ id, whom }: End, container: string): Message {
  const hidden = `Monitoring doesn’t list ${nameOf(whom)} on ${container} to you, so nothing was sent.`
  if (whom.there === undefined)
    return say(`${hidden} Remove them in monitoring, then press It’s gone.`)

  const all = `I can remove user ${whom.there.userId} anyway: that takes everything they have there.`
  return describe({
    lines: [`${hidden} ${all}`],
    buttons: [button(endActions.edit, 'Remove all access', `all ${id}`, 'danger')],
  })
}
