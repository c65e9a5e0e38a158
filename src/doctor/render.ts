// Doctor's findings, each with what to do about it: for a terminal, and in Slack. Without secrets. Pure.
import { oneLine, redact } from '../log/log.ts'
import { bold, describe, type Line, type Message } from '../slack/outbound/message.ts'
import { cut, date } from '../slack/text/mrkdwn.ts'
import { type Finding, findingsHeadline, needsAttention, type State } from './check.ts'

const signs: Readonly<Record<State, string>> = {
  red: '🔴',
  amber: '🟡',
  untested: '⚪',
  green: '🟢',
}

/** @param findings - Worst first. @param asOf - Unix time in seconds. */
export function renderExamined(findings: readonly Finding[], asOf: number): Message {
  const title = findingsHeadline(findings)
  const [worst] = findings
  const sign = worst !== undefined && needsAttention(worst) ? signs[worst.state] : '✅'
  const notes = [`Checked ${date(asOf)}.`]
  const { blocks } = describe({
    headline: `${sign} ${title}`,
    lines: findings.flatMap(findingLines),
    notes,
  })
  return { text: `${title}.`, blocks }
}

/** Characters. Our own texts are shorter; what a database or a header has said may not be. */
const longestText = 240

function findingLines({ name, state, found, mend }: Finding): readonly Line[] {
  const shown = (text: string) => cut(redact(text), longestText)
  const line = [`${signs[state]} `, bold(shown(name)), `: ${shown(found)}`]
  return mend === undefined ? [line] : [line, `→ ${shown(mend)}`]
}

const words = { red: 'RED', amber: 'AMBER', untested: 'GREY', green: 'GREEN' } as const
const stateWidth = words.green.length

/** Lines for a terminal, in columns, and what to do below each. @param findings - Worst first. */
export function renderReport(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(0, ...findings.map(({ name }) => name.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.flatMap(({ name, state, found, mend }) => {
    const line = `${words[state].padEnd(stateWidth)}  ${name.padEnd(width)}  ${redact(found)}`
    return mend === undefined ? [line] : [line, `${indent}Fix: ${redact(mend)}`]
  })
  return [`${findingsHeadline(findings)}.`, '', ...lines.map(oneLine)]
}
