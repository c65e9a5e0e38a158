// Messages about access that ends by itself: before it, once it has, and while nobody can end it; and the list of it. Pure.
import type { Overflow } from '@slack/types'
import { called } from '../grant/access.ts'
import { whatEnds } from '../grant/access-name.ts'
import { endActions, endMenu } from '../grant/render/ends.ts'
import type { Roles } from '../grant/roles.ts'
import type { End } from '../send/ends.ts'
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

/** To whoever has it, before it ends. */
export function renderSoonTheirs(end: End, container: string, roles: Roles): Message {
  const { id, endsAt } = end
  const ends = `Your ${whatEnds(end, roles)} on ${container} ends `
  return describe({
    lines: [[ends, richDateWithin(seconds(endsAt)), '.']],
    buttons: [button(endActions.done, 'I’m done', id)],
  })
}

/** To whoever had it. @param what - “Viewer”. */
export function renderEndedTheirs(what: string, container: string): Message {
  return say(`Your ${what} on ${container} has ended.`)
}

/** In place of what stood there, for a reader who hears below what has ended. */
export function renderSettled(): Message {
  return say('✅ This has ended.')
}

/** Below an alert that is closed. */
export function renderHandBack(end: End, container: string, roles: Roles): Message {
  const still = `The alert is closed. ${called(end.whom)} has ${whatEnds(end, roles)} on ${container} until `
  return describe({
    lines: [[still, richDateWithin(seconds(end.endsAt)), '.']],
    buttons: [button(endActions.done, 'Hand back now', end.id)],
  })
}

/** To whoever gave it or asked for it, before it ends. @param ends - Of one request, at least one. @param whose - “your”. */
export function renderSoon(
  ends: readonly End[],
  container: string,
  whose: string,
  menu: Overflow,
  roles: Roles,
): Message {
  const [first] = ends
  if (first === undefined) throw new TypeError('nothing ends')
  const isOne = ends.length === 1
  const all = ends.map(({ whom }) => called(whom)).join(', ')
  const who = isOne ? `${all} has` : `${ends.length} people (${all}) have`
  const next = isOne ? '' : ' /grant due lists them, each with more time.'
  const lead = words(`${who} ${whatEnds(first, roles)} on ${container} until `)
  const when = richDateWithin(seconds(first.endsAt))
  return describe({
    lines: [[lead, when, `. Then it is taken back with ${whose} account.${next}`]],
    buttons: isOne ? [menu] : [],
  })
}

/** @param whom - Of one request: all of them. @param isAlready - Somebody else had taken it away. */
export function renderEnded(
  whom: readonly string[],
  what: string,
  container: string,
  isAlready: boolean,
): Message {
  const [only = ''] = whom
  const isOne = whom.length === 1
  const who = isOne ? only : `${whom.length} people (${whom.join(', ')})`
  const shown = isAlready
    ? `monitoring doesn’t show ${who} with ${what} on ${container}. Nothing was sent.`
    : `${who} no longer ${isOne ? 'has' : 'have'} ${what} on ${container}. Monitoring shows it.`
  return describe({ lines: [[bold('✅ Ended: '), words(shown)]] })
}

/** Access that nobody’s account ends, or ended. @param why - “alice’s account can’t take it back”. */
export function renderStuck(
  end: End,
  container: string,
  why: string,
  isOver: boolean,
  roles: Roles,
): Message {
  const still = `⚠️ ${called(end.whom)} still has ${whatEnds(end, roles)} on ${container}.`
  const when = [`It should ${isOver ? 'have ended' : 'end'} `, richDateWithin(seconds(end.endsAt))]
  return describe({
    lines: [[bold(still)], [...when, `, but ${why}.`]],
    buttons: [button(endActions.edit, 'Remove now', `now ${end.id}`, 'danger')],
  })
}

/** Access of which nobody can tell whether it is gone: no list shows them any more. @param whose - “Alice Archer’s”. */
export function renderUnlisted(end: End, container: string, whose: string, roles: Roles): Message {
  const { id, whom } = end
  const lost = whom.there === undefined ? 'doesn’t show' : 'no longer shows'
  const gone = `⚠️ Monitoring ${lost} ${called(whom)} to ${whose} account`
  const unsure = `, so I can’t tell whether their ${whatEnds(end, roles)} on ${container} is gone. Look there.`
  return describe({
    lines: [[bold(gone), unsure]],
    buttons: [
      button(endActions.edit, 'Remove now', `now ${id}`, 'danger'),
      button(endActions.gone, 'It’s gone', id),
    ],
  })
}

export interface DueEnd {
  readonly end: End
  /** Raw. */
  readonly container: string
  /** What the reader may do: make it last, ask for more time, or give up what they have themself. */
  readonly may: 'extend' | 'ask' | 'give up'
}

/** A row with what can be done about it, in a list and on the Home tab. */
export function dueRow(roles: Roles) {
  return ({ end, container, may }: DueEnd): Row => {
    const isTheirs = may === 'give up'
    const who = isTheirs ? 'You' : called(end.whom)
    const what = escapeText(cut(`${who} · ${whatEnds(end, roles)} on ${container}`, 300))
    const edit = isTheirs
      ? button(endActions.done, 'I’m done', end.id)
      : endMenu(end.id, may === 'extend')
    return sectionRow(`${what}\nuntil ${date(seconds(end.endsAt))}`, edit)
  }
}

/** `/grant due`, soonest first. @param after - So many are on the pages before. */
export function renderDue(due: readonly DueEnd[], roles: Roles, after = 0): Message {
  if (due.length === 0)
    return describe({ lines: ['You haven’t given any access that ends by itself, and have none.'] })
  const page = pageOf(due, dueRow(roles), after)
  const heading = `Access that ends by itself: ${partOf(page)}`
  return renderPage(page, heading, { buttons: [moreButton(page, endActions.more)] })
}

/** What somebody keeps. @param endsAt - Undefined: for good. @param canExtend - Undefined for readers who can’t press. */
export function renderKept(
  end: End,
  endsAt: number | undefined,
  container: string,
  roles: Roles,
  canExtend?: boolean,
): Message {
  const what = `${called(end.whom)} keeps ${whatEnds(end, roles)} on ${container} `
  if (endsAt === undefined) return describe({ lines: [`${what}for good.`] })
  const until = [`${what}until `, richDateWithin(seconds(endsAt)), '.']
  const buttons = canExtend === undefined ? [] : [endMenu(end.id, canExtend)]
  return describe({ lines: [until], buttons })
}

/** The same, to whoever has it. */
export function renderKeptTheirs(
  end: End,
  endsAt: number | undefined,
  container: string,
  roles: Roles,
): Message {
  const what = `You keep ${whatEnds(end, roles)} on ${container} `
  if (endsAt === undefined) return describe({ lines: [`${what}for good.`] })
  return describe({
    lines: [[`${what}until `, richDateWithin(seconds(endsAt)), '.']],
    buttons: [button(endActions.done, 'I’m done', end.id)],
  })
}

/** Where somebody has looked, and no read shows it. @param by - Who says so. */
export function renderGone(end: End, container: string, by: string, roles: Roles): Message {
  const shown = `${called(end.whom)} no longer has ${whatEnds(end, roles)} on ${container}, says ${by}.`
  return describe({ lines: [[bold('✅ Gone: '), words(shown)]] })
}

/** *Remove now*, where the presser’s token doesn’t list them: only all of it can be taken, by their number. */
export function renderRemoveUnlisted({ id, whom }: End, container: string): Message {
  const hidden = `Monitoring doesn’t list ${called(whom)} on ${container} to you, so nothing was sent.`
  if (whom.there === undefined)
    return say(`${hidden} Remove them in monitoring, then press It’s gone.`)
  const all = `I can remove user ${whom.there.userId} anyway: that takes everything they have there.`
  return describe({
    lines: [`${hidden} ${all}`],
    buttons: [button(endActions.edit, 'Remove all access', `all ${id}`, 'danger')],
  })
}
