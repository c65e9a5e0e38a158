// Help on granting, roles, and the words for what is wrong with a line. Pure.

import { z } from 'zod'
import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { asTyped, withoutSecrets } from '../../slack/text/typed.ts'
import { inOrder } from '../flags.ts'
import { countWords, type GrantSettings, type Roles, roleTitle } from '../roles.ts'
import { lineBlocks } from './receipt.ts'

/** Action id of the button that opens the form; its value is the line that was written. */
export const openGrantFormAction = 'grant.open-form'

/** Action id of the button that runs a line whose typos are mended. */
export const runAction = 'grant.run'

const longestText = 2900
/** Room for twenty addresses with their flags: what is cut cannot be pasted back. */
const longestShown = 2000

/** Where no form can be opened by itself. @param line - As it was written: the form begins with it. */
export function renderFormOffer(line: string): Message {
  const text = 'Open the form to choose who gets which access.'
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: openGrantFormAction,
            text: plain('Grant access'),
            ...(line === '' || line.length > limits.buttonValue ? {} : { value: line }),
          },
        ],
      },
    ],
  }
}

export const notYourLine = 'Only the person who typed that line can run it. Nothing was sent.'

/** What is wrong with a line, and the line itself: as it was typed, or mended, with a button that runs it. */
export interface WrongLine {
  /** One sentence each, raw. */
  readonly problems: readonly string[]
  /** What was typed behind `/grant`, as Slack sent it. */
  readonly line: string
  /** By user id, of people whom the line has by their ids alone. */
  readonly handles?: ReadonlyMap<string, string>
  readonly mended?: Mended | undefined
}

/** A line with its typos mended, for the button that runs it. */
export interface Mended {
  /** As Slack would send it. */
  readonly line: string
  /** Of the grant that it may become: the same however often the button is pressed. */
  readonly id: string
  /** Who typed it. */
  readonly userId: string
}

export function renderProblems({ problems, line, handles, mended }: WrongLine): Message {
  const listed = problems.length === 1 ? problems : problems.map((problem) => `• ${problem}`)
  const said = sayMarked(escapeText(cut([...listed, 'Nothing was sent.'].join('\n'), longestText)))
  const value = mended && runValue(mended)
  const shown = (text: string) => cut(withoutSecrets(`/grant ${asTyped(text, handles)}`), longestShown)
  if (mended === undefined || value === undefined) {
    return { text: said.text, blocks: [...said.blocks, ...lineBlocks('You typed:', shown(line))] }
  }
  return {
    text: said.text,
    blocks: [
      ...said.blocks,
      ...lineBlocks('With that corrected:', shown(mended.line)),
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: runAction, text: plain('Run this'), value }],
      },
    ],
  }
}

const runSchema = z.object({ line: z.string(), id: z.string(), userId: z.string() })

/** Undefined for what is too long for a button, and for what would be hidden when it is shown. */
function runValue({ line, id, userId }: Mended): string | undefined {
  const value = JSON.stringify({ line, id, userId } satisfies z.infer<typeof runSchema>)
  const isShownWhole = withoutSecrets(asTyped(line)) === asTyped(line)
  return isShownWhole && escapeText(value).length <= limits.buttonValue ? value : undefined
}

/** What the button runs; undefined for the value of another version. */
export function readRun(value: string): Mended | undefined {
  try {
    return runSchema.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}

export function renderHelp({ roles, authProviders }: GrantSettings): Message {
  const [role = 'READ'] = Object.keys(roles)
  const [provider] = authProviders.slice(-1)
  const via =
    provider === undefined ? '' : ` Add \`via ${quoted(provider)}\` if the address exists more than once.`
  const lines = [
    `\`/grant <container> <email or @person> <flags or roles>\` gives somebody access. The order doesn’t matter. Example: \`/grant 12 dave@example.com ${role}\`.`,
    'You can name up to 20 people: separate them with commas, or put one on each line of the form.',
    `Add \`member\` if alerts will be assigned to them.${via}`,
    '`/grant` opens a form that explains every flag. A line without flags opens it filled in.',
    '`/grant roles` lists the roles. The person must already have an account in monitoring.',
  ]
  return sayMarked(escapeText(lines.join('\n')))
}

function quoted(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name
}

export function renderRoles(roles: Roles): Message {
  const lines = Object.entries(roles).map(([name, granted]) => {
    const named = inOrder(new Set(granted)).join(', ') || 'no flags'
    return `*${escapeText(`${roleTitle(name)} (${countWords(granted)})`)}*: ${named}`
  })
  return sayMarked(cut(lines.join('\n'), longestText) || 'No roles are set up here.')
}
