// Help on granting, roles, and the words for what is wrong with a line. Pure.
import { describe, type Message, sayMarked } from '../../slack/outbound/message.ts'
import { asTyped } from '../../slack/text/markup.ts'
import { cut, escapeText, limits, plain } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { asProvider } from '../line.ts'
import {
  countWords,
  type Flag,
  type GrantSettings,
  type Roles,
  roleAllows,
  roleTitle,
} from '../roles.ts'

/** Action id of the button that opens the form; its value is the typed line. */
export const openGrantFormAction = 'grant.open-form'

const longestText = 2900
/** Room for twenty addresses with their flags: what is cut cannot be pasted back. */
const longestShown = 2000

/** Offers the form where it can’t open by itself. @param line - As typed: the form begins with it. */
export function renderFormOffer(line: string): Message {
  const value = line === '' || line.length > limits.buttonValue ? {} : { value: line }
  return describe({
    lines: ['Open the form to choose who gets which access.'],
    buttons: [
      { type: 'button', action_id: openGrantFormAction, text: plain('Grant access'), ...value },
    ],
  })
}

/** Nobody fixes more at once, and a message holds no more. */
const mostProblems = 10

/** Lists problems, with the line to copy. @param problems - Raw. @param line - Escaped, as Slack sent it. */
export function renderProblems(problems: readonly string[], line: string): Message {
  const different = [...new Set(problems)].slice(0, mostProblems)
  const listed = different.length === 1 ? different : different.map((problem) => `• ${problem}`)
  const toCopy = cut(withoutSecrets(`/grant ${asTyped(line)}`), longestShown)
  return describe({ lines: [...listed, 'Nothing was sent.', 'You typed:'], toCopy })
}

export function renderHelp({ roles, authProviders, hasAllOperations }: GrantSettings): Message {
  const [role = 'READ'] = Object.keys(roles)
  const [provider] = authProviders.slice(-1)
  const via =
    provider === undefined
      ? ''
      : ` Add \`via ${asProvider(provider)}\` if the address exists more than once.`
  const lines = [
    `\`/grant <container> <email or @person> <flags or roles>\` gives somebody access. The order doesn’t matter. Example: \`/grant 12 dave@example.com ${role}\`.`,
    'You can name up to 20 people: separate them with commas, or put one on each line of the form.',
    `Alerts can be assigned to members. A role or flags for handling alerts make them one; for others, add \`member\`.${via}`,
    '`/grant` opens a form that explains every flag. A line without flags opens it filled in.',
    '`/grant roles` lists the roles. The person must already have an account in monitoring. If they are on the container already, I show what would be added.',
    ...(hasAllOperations
      ? [
          '`/grant who <container>` lists who is on it; add a person, a flag or a role for fewer.',
          `\`/grant change <container> <person> <role>\` makes them that and nothing else; \`+FLAG,-FLAG\` gives and takes single flags, \`member\` and \`not-member\` say whether alerts can be assigned to them. \`/grant remove <container> <person>\` takes all away. I show what would change before I send it. Example: \`/grant change 12 dave@example.com ${role}\`.`,
        ]
      : []),
  ]
  return sayMarked(escapeText(lines.join('\n')))
}

export function renderRoles(roles: Roles): Message {
  const lines = Object.entries(roles).map(([name, granted], at, all) => {
    const isWithin = (has: readonly Flag[]) =>
      has.length < granted.length && has.every((flag) => granted.includes(flag))
    const [less, known] = all.slice(0, at).findLast(([, has]) => isWithin(has)) ?? ['', []]
    const more = roleAllows(granted.filter((flag) => !known.includes(flag)))
    const allows = less === '' ? more : `All of ${escapeText(roleTitle(less))} · ${more}`
    return `*${escapeText(roleTitle(name))} (${countWords(granted)})*: ${allows}`
  })
  return sayMarked(cut(lines.join('\n'), longestText) || 'No roles are set up here.')
}
