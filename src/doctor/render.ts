// Doctor's findings, each with what to do about it: for a terminal, and in Slack. Without secrets. Pure.
import type { KnownBlock } from '@slack/types'
import { oneLine, redact } from '../log/line.ts'
import { fullest, type Message } from '../slack/outbound/message.ts'
import { limits } from '../slack/text/limits.ts'
import { cut, date, escapeText, mrkdwn } from '../slack/text/mrkdwn.ts'
import { type Finding, headline, needsAttention, type State } from './check.ts'

/**
 * As somebody reads it who is no admin: what an operator has to mend is named, and no more, as hosts and files may be in it.
 * @param reference - Of their request: the log has the rest.
 */
export function withoutPlaces(finding: Finding, reference: string): Finding {
  const { name, state, by } = finding
  if (by === undefined || !needsAttention(finding)) return finding
  return { name, state, found: `Whoever runs Bellhop can fix this (reference ${reference}).` }
}

const signs: Readonly<Record<State, string>> = { red: '🔴', amber: '🟡', untested: '⚪', green: '🟢' }

/** @param findings - Worst first. @param asOf - Unix time in seconds. */
export function renderExamined(findings: readonly Finding[], asOf: number): Message {
  const title = headline(findings)
  const [worst] = findings
  const sign = worst !== undefined && needsAttention(worst) ? signs[worst.state] : '✅'
  return {
    text: `${title}.`,
    // Ours are short. What a database or a header has said may not be.
    blocks: fullest(
      [500, 120, 50].map((longest) => () => [
        section(`${sign} *${title}*`),
        ...grouped(findings.map((one) => lineText(one, longest))).map(section),
        { type: 'context', elements: [mrkdwn(`Checked ${date(asOf)}.`)] },
      ]),
    ),
  }
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** @param longest - Of each of its parts. */
function lineText({ name, state, found, mend }: Finding, longest: number): string {
  const shown = (text: string) => escapeText(cut(redact(text), longest))
  const line = `${signs[state]} *${shown(name)}*: ${shown(found)}`
  return mend === undefined ? line : `${line}\n→ ${shown(mend)}`
}

/** As few texts as hold them all, each no longer than a section. */
function grouped(texts: readonly string[]): readonly string[] {
  const groups: string[] = []
  for (const text of texts) {
    const last = groups.at(-1)
    if (last === undefined || last.length + text.length >= limits.sectionText) groups.push(text)
    else groups[groups.length - 1] = `${last}\n${text}`
  }
  return groups
}

const words: Readonly<Record<State, string>> = {
  red: 'RED',
  amber: 'AMBER',
  untested: 'GREY',
  green: 'GREEN',
}
const stateWidth = words.green.length

/** Lines for a terminal, in columns, and what to do below each. @param findings - Worst first. */
export function renderReport(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(0, ...findings.map(({ name }) => name.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.flatMap(({ name, state, found, mend }) => {
    const line = `${words[state].padEnd(stateWidth)}  ${name.padEnd(width)}  ${redact(found)}`
    return mend === undefined ? [line] : [line, `${indent}Fix: ${redact(mend)}`]
  })
  return [`${headline(findings)}.`, '', ...lines.map(oneLine)]
}
