// The gallery's ways of asking for an alert: help, the form, and what can be wrong with a key.

import { ownToken } from '../../../../src/alert/asking/token.ts'
import { parseAlertLine, parseKey } from '../../../../src/alert/input.ts'
import { keyInput, lookupModal, noWayThere, postToInput } from '../../../../src/alert/modal.ts'
import { renderHelp } from '../../../../src/alert/render/help.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, forYou, modal } from '../stage/entry.ts'
import { alertUrl } from '../stage/sample.ts'

function problemOf(ask: ReturnType<typeof parseAlertLine>): string {
  if (ask.kind !== 'problem') throw new TypeError(`not a problem: ${ask.kind}`)
  return ask.problem
}

/** @param typed - Behind `/alert`, as Slack sends it. */
function wrong(name: string, typed: string, takesLinks = true): Entry {
  const where = takesLinks ? '' : ', and MONITOR_ALERT_URL is not set'
  const problem = problemOf(parseAlertLine(typed, takesLinks ? alertUrl : undefined))
  return forYou(name, `Somebody types \`/alert ${typed}\`${where}.`, say(problem))
}

function mistyped(name: string, when: string, typed: string): Entry {
  const problem = problemOf(parseKey(typed, alertUrl))
  return modal(name, when, lookupModal(true), {
    typed: { [keyInput]: typed },
    errors: { [keyInput]: problem },
  })
}

export const asking: readonly Entry[] = [
  forYou('Help for /alert', 'Somebody types `/alert help`.', renderHelp(alertUrl)),
  forYou(
    'Help for /alert, without links',
    'The same, where the operator has not set MONITOR_ALERT_URL.',
    renderHelp(undefined),
  ),
  modal(
    'Look up an alert',
    'Somebody types `/alert` alone. Where the operator has not set MONITOR_ALERT_URL, the hint speaks of the key only.',
    lookupModal(true),
  ),
  mistyped('Look up an alert, nothing typed', 'The key in the form is only spaces.', ' '),
  mistyped('Look up an alert, not a key', 'What stands in the form cannot be a key.', '..'),
  modal(
    'Look up an alert, no way there',
    'A direct message was chosen, and Slack sent no way to answer in it.',
    lookupModal(true),
    { typed: { [keyInput]: '5HkX', [postToInput]: '@dave' }, errors: { [postToInput]: noWayThere } },
  ),
]

export const wrongKeys: readonly Entry[] = [
  wrong('Not a key', '..'),
  wrong('No key', 'private'),
  wrong('A key with spaces', 'web server 503 private'),
  wrong('A key with spaces, or a token beside it', 'connct 5f0c2a9e71b34d68'),
  forYou(
    'A key that holds more than can be seen',
    'Somebody pastes a key with a space of no width in it.',
    say(problemOf(parseAlertLine('5Hk\u200bX', alertUrl))),
  ),
  forYou('A token for a key', 'Somebody types their own API token behind `/alert`.', say(ownToken)),
  wrong('Words after the key', '"web server 503" soon'),
  wrong('Words after “watches”', 'watches soon'),
  wrong('A link, where links are not set up', 'https://monitoring.example.com/alert/5HkX', false),
  wrong('A link that leads elsewhere', 'https://monitoring.example.com/dashboard'),
  wrong('A broken link', 'https://monitoring.example.com/alert/5%Hk'),
  wrong('A word for connecting', 'login'),
  wrong('A token on the line', 'connect my-secret-token'),
]
