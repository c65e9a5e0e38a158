// Somebody's last look-ups and grants, a line each. Pure.
import type { KnownBlock, RichTextElement } from '@slack/types'
import { cut, mrkdwn } from '../slack/text/mrkdwn.ts'
import type { GrantEnd, Granted, LookedUp } from './recent.ts'
import { linked, listBlock, when, words } from './render-lines.ts'

export interface Links {
  /** Of the card. */
  readonly link: string | undefined
  /** Of the alert in monitoring. */
  readonly webLink: string | undefined
}

/** @param lines - Newest first. */
export function latelyBlocks(lines: readonly ((LookedUp & Links) | Granted)[]): KnownBlock[] {
  if (lines.length === 0) {
    return [{ type: 'section', text: mrkdwn('Nothing yet. What you look up and grant is listed here.') }]
  }
  return [listBlock(lines.map((line) => (line.kind === 'look-up' ? lookUpLine(line) : grantLine(line))))]
}

function lookUpLine({ title, at, link, webLink }: LookedUp & Links): RichTextElement[] {
  const line = [linked(title, link), words(' · '), when(at)]
  return webLink === undefined ? line : [...line, words(' · '), linked('Open in monitoring', webLink)]
}

const signs: Readonly<Record<GrantEnd, string>> = {
  granted: '✅',
  'not-granted': '✋',
  uncertain: '⚠️',
  'not-sent': '➖',
  'under-way': '⏳',
}

const endWords: Readonly<Record<GrantEnd, string>> = {
  granted: 'granted',
  'not-granted': 'not granted',
  uncertain: 'not certain',
  'not-sent': 'not sent',
  'under-way': 'under way',
}

function grantLine({ at, containerId, people }: Granted): RichTextElement[] {
  return [words(`${summary(people)} · container ${containerId} · `), when(at)]
}

const longestEmail = 100

/** “✅ dave@example.com: granted” “⚠️ 2 of 3 granted, 1 not certain: dave@example.com and 2 more” */
function summary(people: Granted['people']): string {
  const [first, ...others] = people
  const email = cut(first?.email ?? '', longestEmail)
  if (first !== undefined && others.length === 0)
    return `${signs[first.end]} ${email}: ${endWords[first.end]}`
  const count = (end: GrantEnd) => people.filter((one) => one.end === end).length
  const open = (['under-way', 'uncertain'] as const).filter((end) => count(end) > 0)
  const granted = `${count('granted')} of ${people.length} granted`
  const said = [granted, ...open.map((end) => `${count(end)} ${endWords[end]}`)].join(', ')
  const sign = signs[open[0] ?? (count('granted') > 0 ? 'granted' : 'not-granted')]
  return `${sign} ${said}: ${email} and ${others.length} more`
}
