// Help on granting, presets, and the words for what is wrong with a line. Pure.

import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, escapeText, mrkdwn, plain, unescapeText } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { flags, type Presets } from '../flags.ts'
import type { GrantSettings } from '../line/extras.ts'
import { lineBlocks } from './receipt.ts'

/** Action id of the button that opens the form; its value is the line that was written. */
export const openGrantFormAction = 'grant.open-form'

const longestText = 2900

/** Where no form can be opened by itself. @param line - As it was written: the form begins with it. */
export function renderFormOffer(line: string): Message {
  const text = 'Open the form to say who gets which access.'
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

/** @param problems - One sentence each, raw. @param line - What was typed behind `/grant`, as Slack sent it. */
export function renderProblems(problems: readonly string[], line: string): Message {
  const listed = problems.length === 1 ? problems : problems.map((problem) => `• ${problem}`)
  const said = sayMarked(escapeText(cut([...listed, 'Nothing was sent.'].join('\n'), longestText)))
  const typed = cut(withoutSecrets(`/grant ${unescapeText(line)}`), 300)
  return { text: said.text, blocks: [...said.blocks, ...lineBlocks('You typed:', typed)] }
}

export function renderHelp({ presets, authProviders }: GrantSettings): Message {
  const [preset = 'READ'] = Object.keys(presets)
  const [provider] = authProviders.slice(-1)
  const via =
    provider === undefined ? '' : ` \`via ${quoted(provider)}\` when the address exists more than once.`
  const lines = [
    `\`/grant <container> <email or @person> <flags or presets>\` gives somebody access, e.g. \`/grant 12 dave@example.com ${preset}\`.`,
    'Up to 20 people at once: put a comma between them, or a line each into the form.',
    `Add \`member\` so that alerts can be assigned to them.${via}`,
    '`/grant` opens a form with every flag explained; so does a line without flags, filled in.',
    '`/grant presets` lists the presets. The person must be a user of the monitoring service already.',
  ]
  return sayMarked(escapeText(lines.join('\n')))
}

function quoted(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name
}

export function renderPresets(presets: Presets): Message {
  const lines = Object.entries(presets).map(([name, granted]) => {
    const inOrder = flags.filter((flag) => granted.includes(flag))
    return `*${escapeText(name)}*: ${inOrder.join(', ') || 'no flags'}`
  })
  return sayMarked(cut(lines.join('\n'), longestText) || 'There are no presets here.')
}
