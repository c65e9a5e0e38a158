// Messages about access that ends by itself: before it ends, once it has ended, and while nobody can end it; and a list of
// such access. Pure.
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

/** An end (access that was given for a time, and when it is taken back) as its reader may know it. */
export interface ShownEnd {
  readonly end: End
  /** Raw. */
  readonly container: string
  /** The reader’s choice: make the access last, ask for more time, or give up their own. Undefined for a channel. */
  readonly may?: 'extend' | 'ask' | 'give up' | undefined
}

/** *I’m done* for the person who has the access, the menu for its giver and its asker; undefined for a channel. */
function editOf({ end: { id }, may }: ShownEnd) {
  if (may === 'give up') return button(endActions.done, 'I’m done', id)
  return may && endMenu(id, may === 'extend')
}

/** “Viewer on Customer 1 (12)”. Raw. */
export function whatOf({ end, container }: ShownEnd, roles: Roles): string {
  return `${whatEnds(end, roles)} on ${container}`
}

/**
 * Says that access ends soon. A message about one end has its buttons; a message about several only lists them.
 * @param whose - Account that takes the access back: “your”, or a name with ’s.
 */
export function renderSoon(all: readonly ShownEnd[], whose: string, roles: Roles): Message {
  const isTheirs = ({ may }: ShownEnd) => may === 'give up'
  const lines = all.map((one) => {
    const what = whatOf(one, roles)
    const name = nameOf(one.end.whom)
    const soon = isTheirs(one) ? `Your ${what} ends ` : `${name} has ${what} until `
    return [words(soon), richDateWithin(seconds(one.end.endsAt)), '.']
  })

  const then = all.every(isTheirs) ? '' : `Then it is taken back with ${whose} account.`
  const isList = all.length > 1
  return describe({
    lines: [...lines, then, isList ? 'To change one of these, type /grant due.' : ''],
    buttons: isList ? [] : all.map(editOf),
  })
}

/** Access that somebody no longer has, as its reader may know it. Raw. */
export interface Gone {
  /** Name of the person who had the access; undefined if it was the reader’s own. */
  readonly who: string | undefined
  /** “Viewer on Customer 1 (12)”. */
  readonly what: string
  /** Time when monitoring showed that it was gone, in milliseconds since 1970; missing if that was in time. */
  readonly lateAt?: number | undefined
}

/** Says what has ended, to whoever gave it, asked for it or had it. */
export function renderEnded(all: readonly Gone[]): Message {
  const lines = all.map(({ who, what, lateAt }) => {
    const asOf = lateAt === undefined ? [] : [', as of ', richDateWithin(seconds(lateAt))]
    if (who === undefined) return [words(`Your ${what} has ended`), ...asOf, '.']
    const shown = words(`${who} no longer has ${what}. Monitoring shows it`)
    return [bold('✅ Ended: '), shown, ...asOf, '.']
  })
  return describe({ lines })
}

/** Offers, in the thread of a closed alert, to hand back access that was given for it. */
export function renderHandBack(shown: ShownEnd, roles: Roles): Message {
  const { end } = shown
  const what = whatOf(shown, roles)
  const still = `The alert is closed. ${nameOf(end.whom)} has ${what} until `
  return describe({
    lines: [[still, richDateWithin(seconds(end.endsAt)), '.']],
    buttons: [button(endActions.done, 'Hand back now', end.id)],
  })
}

/**
 * Says that nobody’s account will take access back, or that it is still there after its time, or that nobody can tell
 * whether it is gone.
 * @param whose - Account that should take it back, as in `renderSoon`.
 * @param isOver - True once the access should have ended.
 */
export function renderStuck(
  shown: ShownEnd,
  whose: string,
  isOver: boolean,
  roles: Roles,
): Message {
  const { id, whom, endsAt, why = isOver ? 'uncertain' : undefined } = shown.end
  const what = whatOf(shown, roles)
  const removeNow = button(endActions.edit, 'Remove now', `now ${id}`, 'danger')
  if (why === 'not-listed') {
    const lost = whom.there === undefined ? 'doesn’t show' : 'no longer shows'
    const gone = `⚠️ Monitoring ${lost} ${nameOf(whom)} to ${whose} account`
    return describe({
      lines: [[bold(gone), `, so I can’t tell whether their ${what} is gone. Look there.`]],
      buttons: [removeNow, button(endActions.gone, 'It’s gone', id)],
    })
  }

  const isUnseen = why !== undefined && isPassing(why)
  const because = isUnseen
    ? 'monitoring doesn’t show that it’s gone'
    : `${whose} account can’t take it back`
  const should = `It should ${isOver ? 'have ended' : 'end'} `
  return describe({
    lines: [
      [bold(`⚠️ ${nameOf(whom)} still has ${what}.`)],
      [should, richDateWithin(seconds(endsAt)), `, but ${because}.`],
    ],
    buttons: [removeNow],
  })
}

/** A row for one end, with its button or menu: for `/grant due` and the Home tab. */
export function dueRow(roles: Roles) {
  return (due: ShownEnd): Row => {
    const { end, may } = due
    const who = may === 'give up' ? 'You' : nameOf(end.whom)
    const what = escapeText(cut(`${who} · ${whatOf(due, roles)}`, 300))
    return sectionRow(`${what}\nuntil ${date(seconds(end.endsAt))}`, editOf(due))
  }
}

/** The container and the people that `/grant due` is asked about; without either, all access that ends is meant. */
export interface DueOf {
  readonly containerId: number | undefined
  readonly emails: readonly string[]
}

/**
 * The answer to `/grant due`, soonest first.
 * @param after - How many ends are on the pages before.
 */
export function renderDue(
  due: readonly ShownEnd[],
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

/** Reads the value of *Show more*: how many ends come before, the container, the people: “20 12 dave@example.com”. */
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

/**
 * Says that somebody keeps access for longer, or for good.
 * @param endsAt - Milliseconds since 1970; undefined: for good.
 */
export function renderKept(shown: ShownEnd, endsAt: number | undefined, roles: Roles): Message {
  const { end, may } = shown
  const who = may === 'give up' ? 'You keep' : `${nameOf(end.whom)} keeps`
  const what = `${who} ${whatOf(shown, roles)} `
  if (endsAt === undefined) return describe({ lines: [`${what}for good.`] })
  return describe({
    lines: [[`${what}until `, richDateWithin(seconds(endsAt)), '.']],
    buttons: [editOf(shown)],
  })
}

/**
 * Says that access is gone, as somebody says who has looked in monitoring; no read of Bellhop’s own has shown that.
 * @param by - Name of the person who says so.
 */
export function renderGone(shown: ShownEnd, by: string, roles: Roles): Message {
  const who = nameOf(shown.end.whom)
  const gone = `${who} no longer has ${whatOf(shown, roles)}, says ${by}.`
  return describe({ lines: [[bold('✅ Gone: '), words(gone)]] })
}

/**
 * Answers *Remove now* if monitoring doesn’t list the person to the presser: offers to remove all that they have there, by
 * their number. If that is unknown, asks the presser to do it in monitoring.
 */
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
