// Wishes as they are shown: who is to get what, for one person and for several, and each flag behind *Show all*. Pure.
import type { RichTextBlock, RichTextElement } from '@slack/types'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText } from '../../slack/text/mrkdwn.ts'
import { type Roles, roleOf, roleTitle, roleWords } from '../roles.ts'
import type { Wish } from '../wish.ts'

const bold = { bold: true }

type Access = Pick<Wish, 'permissions' | 'member' | 'authProvider'>

/** How many flags of a role are named where a grant is shown; more are counted. */
export const mostNamed = 4

/** “Viewer: READ, API, REPORTING_VIEW, VIEW_LOG · member”, “Admin (19 flags, 6 of them sensitive) · via Google”. Raw. */
export function accessWords({ permissions, member, authProvider }: Access, roles: Roles): string {
  return [
    allowed(permissions, roles),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}

/** Every flag by its name, but those of a role that has many. */
function allowed(permissions: Wish['permissions'], roles: Roles): string {
  const name = permissions.length === 0 ? undefined : roleOf(permissions, roles)
  if (permissions.length === 0 || (name !== undefined && permissions.length > mostNamed)) {
    return roleWords(permissions, roles)
  }
  const named = permissions.join(', ')
  return name === undefined ? named : `${roleTitle(name)}: ${named}`
}

/** A sentence, and below it what it is about. Raw text that Slack does not interpret. */
export function sentenceBlock(sentence: string, below: string): RichTextBlock {
  const said: RichTextElement[] = [
    { type: 'text', text: `${sentence}\n`, style: bold },
    { type: 'text', text: below },
  ]
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: said }] }
}

/** What is granted, and a line for each person. Raw text that Slack does not interpret. @param container - Raw. */
export function linesBlock(
  heading: string,
  wish: Access & Pick<Wish, 'containerId'>,
  lines: readonly string[],
  roles: Roles,
  container = `container ${wish.containerId}`,
): RichTextBlock {
  const said: RichTextElement[] = [
    { type: 'text', text: `${heading}\n`, style: bold },
    { type: 'text', text: `${container} · ${accessWords(wish, roles)}\n` },
    { type: 'text', text: lines.join('\n') },
  ]
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: said }] }
}

/**
 * Who is to get what, raw text that Slack does not interpret: addresses stand as they were typed.
 * @param container - As it is called there. Raw.
 */
export function wishBlock(
  wish: Wish,
  heading: string,
  roles: Roles,
  container = `container ${wish.containerId}`,
): RichTextBlock {
  const [email = '', ...others] = wish.emails
  if (others.length > 0)
    return linesBlock(
      heading,
      wish,
      wish.emails.map((one) => `• ${one}`),
      roles,
      container,
    )
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: `${heading}\n`, style: bold },
          { type: 'text', text: email, style: bold },
          { type: 'text', text: ` · ${container}\n${accessWords(wish, roles)}` },
        ],
      },
    ],
  }
}

const longestNames = 2000

/** The same in a line, raw. */
export function wishWords(wish: Wish, roles: Roles, container = `container ${wish.containerId}`): string {
  return `${whomOf(wish)} on ${container} with ${accessWords(wish, roles)}`
}

function whomOf({ emails }: Wish): string {
  const names = cut(emails.join(', '), longestNames)
  return emails.length === 1 ? names : `${emails.length} people (${names})`
}

/** Shown while the service is asked, in place of the confirmation. */
export function renderSending(wish: Wish, roles: Roles): Message {
  const what = `access to container ${wish.containerId} with ${accessWords(wish, roles)}`
  return {
    text: escapeText(`Granting ${whomOf(wish)} ${what}.`),
    blocks: [wishBlock(wish, 'Sending…', roles)],
  }
}
