// Doctor's findings in Slack. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { fullest, type Message } from '../slack/outbound/message.ts'
import { limits } from '../slack/text/limits.ts'
import { cut, date, escapeText, mrkdwn, plain, utc } from '../slack/text/mrkdwn.ts'
import { type Finding, type State, worstFirst } from './checks/check.ts'
import { renderNarrowReport, withoutSecretsOrPlaces } from './render-report.ts'

/** Action id of the button in here, for the listener. */
export const wayBackAction = 'doctor.way-back'

export interface Examined {
  readonly findings: readonly Finding[]
  /** Unix time in seconds. */
  readonly asOf: number
  /** Whether a button has arrived; `tookMs` from the press, where Slack says when that was. */
  readonly wayBack: 'not-tried' | { readonly tookMs: number | undefined }
  /** Hosts and files that the text for a ticket leaves out. */
  readonly places: readonly string[]
}

const signs: Readonly<Record<State, string>> = { red: '🔴', amber: '🟡', green: '🟢' }
const words: Readonly<Record<State, string>> = { red: 'Red', amber: 'Amber', green: 'Green' }

/** How much of what was found is shown. */
interface Room {
  /** Of what is not green, each with a section of its own; there is room for 50 blocks in a message. */
  readonly sections: number
  /** Of each line. Ours are shorter; what a database or a header said may not be. */
  readonly longestLine: number
  /** Of the text for a ticket. Rich text has no documented limit; what a section holds is taken everywhere. */
  readonly longestReport: number
}

/** The fullest that Slack takes in one message. */
const rooms: readonly Room[] = [
  { sections: 30, longestLine: 500, longestReport: limits.sectionText },
  { sections: 12, longestLine: 250, longestReport: 2_000 },
  { sections: 6, longestLine: 150, longestReport: 1_000 },
]

export function renderExamined(examined: Examined): Message {
  const { asOf, places, wayBack } = examined
  const shown = examined.findings.map((one) => withoutPlaces(one, places))
  const proof = wayBackFinding(wayBack)
  const findings = worstFirst([...shown, proof])
  const title = headline(shown)
  const bad = findings.filter((one) => one.state !== 'green' && one !== proof)
  const good = findings.filter(({ state }) => state === 'green')
  return {
    text: title,
    blocks: fullest(
      rooms.map(({ sections, longestLine, longestReport }) => () => [
        { type: 'section', text: mrkdwn(`*${title}*\nAs of ${date(asOf)}.`) },
        ...bad.slice(0, sections).map((one) => badSection(one, longestLine)),
        ...moreSection(bad.length - sections),
        ...(wayBack === 'not-tried' ? [badSection(proof, longestLine, wayBackButton())] : []),
        ...goodSections(good, longestLine),
        ...ticket(cut(renderNarrowReport(`Bellhop doctor, ${utc(asOf)}`, findings), longestReport)),
      ]),
    ),
  }
}

function withoutPlaces(finding: Finding, places: readonly string[]): Finding {
  const { name, state, found, mend } = finding
  const safe = { name, state, found: withoutSecretsOrPlaces(found, places) }
  return mend === undefined ? safe : { ...safe, mend: withoutSecretsOrPlaces(mend, places) }
}

/** The way back is not counted: it is tried below. */
export function headline(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((one) => one.state === state).length
  const [red, amber] = [count('red'), count('amber')]
  if (red > 0) return `${red === 1 ? 'One thing needs' : `${red} things need`} mending.`
  if (amber > 0) return `Bellhop works, with ${amber === 1 ? 'one thing' : `${amber} things`} to know.`
  return 'Bellhop is well.'
}

function wayBackFinding(wayBack: Examined['wayBack']): Finding {
  const name = 'The way back'
  if (wayBack === 'not-tried') {
    const found = 'Not tried yet: whether buttons and forms reach Bellhop.'
    return { name, state: 'amber', found, mend: 'Press Test the way back.' }
  }
  const { tookMs } = wayBack
  const seconds = Math.max(0, tookMs ?? 0) / 1000
  const took = tookMs === undefined ? '' : `, ${seconds.toFixed(1)} s after you pressed it by Slack’s clock`
  return { name, state: 'green', found: `Your press arrived${took}: buttons and forms reach Bellhop.` }
}

function wayBackButton(): Button {
  return { type: 'button', action_id: wayBackAction, text: plain('Test the way back') }
}

function badSection({ name, state, found, mend }: Finding, longest: number, accessory?: Button): KnownBlock {
  const shortened = (text: string) => escapeText(cut(text, longest))
  const lines = [
    `${signs[state]} *${words[state]} · ${shortened(name)}*`,
    shortened(found),
    ...(mend === undefined ? [] : [`Mend: ${shortened(mend)}`]),
  ]
  const text = mrkdwn(lines.join('\n'))
  return { type: 'section', text, ...(accessory === undefined ? {} : { accessory }) }
}

function moreSection(more: number): readonly KnownBlock[] {
  if (more <= 0) return []
  return [{ type: 'section', text: mrkdwn(`${more} more that are not green: run \`npm run doctor\`.`) }]
}

/** Several to a section: there is nothing to do about them. */
function goodSections(findings: readonly Finding[], longest: number): readonly KnownBlock[] {
  const shortened = (text: string) => escapeText(cut(text, longest))
  const sections: string[] = []
  for (const { name, found } of findings) {
    const line = `${signs.green} Green · *${shortened(name)}*: ${shortened(found)}`
    const last = sections.at(-1)
    if (last === undefined || last.length + line.length >= limits.sectionText) sections.push(line)
    else sections[sections.length - 1] = `${last}\n${line}`
  }
  return sections.map((text): KnownBlock => ({ type: 'section', text: mrkdwn(text) }))
}

function ticket(text: string): readonly KnownBlock[] {
  const note = 'For a ticket: without tokens, addresses, hosts and files.'
  return [
    { type: 'context', elements: [mrkdwn(note)] },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
    },
  ]
}
