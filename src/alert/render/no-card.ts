// Answers to whoever asks for an alert and gets no card: why there is none, what may have been meant, another try, a
// wait. Pure.
import { button, describe, type Message, say } from '../../slack/outbound/message.ts'
import { cut, limits } from '../../slack/text/mrkdwn.ts'
import { quote, withoutSecrets } from '../../slack/text/typed.ts'
import { type KeyAsk, type Lookup, lineFor, type Meant } from '../input.ts'

/** To whoever would change an alert where Bellhop changes none. Raw. */
export const onlyReads =
  'I only read alerts here. Whoever runs me has set MONITOR_OPERATIONS to basic, so use monitoring itself.'

/** To whoever asks for a list where Bellhop reads one alert at a time. Raw. */
export const onlyOneAlert =
  'I only look up one alert at a time here: whoever runs me has set MONITOR_OPERATIONS to basic.'

/** Action id. */
export const askAgainAction = 'alert.ask-again'

const longestName = 60

/** A key in a sentence, raw: shortened, and without what may be a secret. */
function keyInWords(ks: string): string {
  return cut(withoutSecrets(ks), longestName)
}

/** To whoever typed a line that cannot be read: why, and what may have been meant, with its button. Its text comes back. */
export function renderProblem({ problem, meant, said }: Extract<KeyAsk, { kind: 'problem' }>): Message {
  const name = keyInWords(meant?.name ?? '')
  const label = (verb: string) => cut(`${verb} ${name}`, limits.buttonText)
  return describe({
    lines: [meant === undefined ? problem : `${problem} Did you mean ${name}?`],
    toCopy: said || undefined,
    buttons: [meant && button(askAgainAction, label(meant.verb), meant.line)],
  })
}

/** To whoever asked for an alert that there is not. @param meant - What may have been meant instead. */
export function renderNoAlert(ks: string, meant: Meant | undefined): Message {
  const advice = meant === undefined ? ' Check the key, capitals included.' : ''
  return renderProblem({ kind: 'problem', problem: `There’s no alert ${quote(ks)}.${advice}`, meant })
}

/** To whoever asked while the service could not answer. @param problem - One sentence or two, raw. */
export function renderTryAgain(problem: string, lookup: Lookup): Message {
  const again = button(askAgainAction, 'Try again', lineFor(lookup))
  return describe({ lines: [problem], buttons: [again] })
}

/** To whoever pasted a link. Raw. */
export const noAlertMatches =
  'No open alert matches that link. It may be closed, or you may not have access. If you know its key, use that: it works for closed alerts too.'
export const noLinksThere =
  'Monitoring can’t look alerts up by link at the moment. Use the alert’s key instead.'
export const severalMatch =
  'Several alerts match that link. Type /alert with the link to choose one, then use its key. Nothing was sent.'

const mostOthers = 10

/** Behind the card of the gravest of several alerts that a link matches. @param others - Their keys, raw. */
export function renderOthersMatch(others: readonly string[]): Message {
  const lines = others
    .slice(0, mostOthers)
    .map((ks) => `/alert ${/\s/.test(ks) ? `"${keyInWords(ks)}"` : keyInWords(ks)}`)
  return say(`That link matches other alerts too, opened in the same second: ${lines.join(', ')}`)
}

/** While the service is asked. @param ks - Raw. */
export function renderStillAsking(ks: string): Message {
  return say(`Still asking monitoring about ${keyInWords(ks)}. You’ll have the answer as soon as it’s there.`)
}
