// Help on granting, roles, and the words for what is wrong with a line. Pure.
import { button, describe, type Message, sayMarked } from '../../slack/outbound/message.ts'
import { asTyped } from '../../slack/text/markup.ts'
import { cut, escapeText, limits } from '../../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../../slack/text/typed.ts'
import { helpLines } from '../input/grammar.ts'
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
/** Most characters of a typed line that are shown to copy: enough for twenty addresses with their flags. */
const longestShown = 2000

/** Most problems that are listed: a message holds no more, and nobody fixes more at once. */
const mostProblems = 10

/**
 * Lists problems, with the line to copy. @param problems - Raw. @param line - Escaped, as Slack sent it.
 * @param hasForm - Whether a form can be opened with what was understood.
 */
export function renderProblems(
  problems: readonly string[],
  line: string,
  hasForm = false,
): Message {
  const different = [...new Set(problems)].slice(0, mostProblems)
  const listed = different.length === 1 ? different : different.map((problem) => `• ${problem}`)
  const typed = `/grant ${asTyped(line)}`
  const shown = withoutSecrets(typed)
  // A line with a token that somebody has pasted gets no button, which would keep the token.
  const isKept = hasForm && shown === typed && line.length <= limits.buttonValue
  const form = button(openGrantFormAction, 'Open the form', line)

  return describe({
    lines: [...listed, 'Nothing was sent.', 'You typed:'],
    toCopy: cut(shown, longestShown),
    buttons: [isKept && form],
  })
}

/** Action ids of a choice: Slack takes each once in a message. */
export const chooseActions = [1, 2, 3, 4, 5].map((at) => `grant.choose-${at}`)

/** One of several meanings of a typed line. `line`: a line in the exact form that has this meaning, escaped. */
export interface Choice {
  readonly label: string
  readonly line: string
}

/** Asks which meaning of a line is meant: a press on a meaning sends it, once. @param id - Id of the request to send. */
export function renderMeanings(id: string, choices: readonly Choice[]): Message {
  const buttons = choices.map(({ label, line }, at) => {
    const value = `${id} ${line}`
    const action = value.length <= limits.buttonValue ? chooseActions[at] : undefined

    return action === undefined ? undefined : button(action, cut(label, limits.buttonText), value)
  })

  return describe({
    headline: 'Which one do you mean?',
    lines: [...choices.map(({ line }) => `• /grant ${asTyped(line)}`), 'Nothing was sent yet.'],
    buttons,
  })
}

export function renderHelp(settings: GrantSettings): Message {
  return sayMarked(escapeText(helpLines(settings).join('\n')))
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
