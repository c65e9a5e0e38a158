// The gallery's lines of doctor about Slack: the token, the way in, the channel.
import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api'
import { sampleCard } from '../../../../src/alert/render/card.ts'
import { cardCheck } from '../../../../src/doctor/checks/cards.ts'
import { cardsLost, channelCheck, directCheck } from '../../../../src/doctor/checks/channel.ts'
import { tooSlow } from '../../../../src/doctor/checks/check.ts'
import {
  heldBackCheck,
  scopeFindings,
  slackTokenCheck,
  socketOfferCheck,
  transportCheck,
  unprovenHttpCheck,
} from '../../../../src/doctor/checks/slack.ts'
import { ResponseUrlError, SlackBusyError } from '../../../../src/slack/client/refusals.ts'
import type { Judge, Presence } from '../../../../src/slack/workspace/probe.ts'
import { abilities, abilityNames } from '../../../../src/slack/workspace/scopes.ts'
import type { Entry } from '../stage/entry.ts'
import { asOf, cardSettings, onCallId } from '../stage/sample.ts'
import { found, line } from './doctor-lines.ts'

const now = asOf * 1000
const minuteMs = 60_000
const refused = (word: string) => () => Promise.reject(new ResponseUrlError(word))
const withStatus = () => Promise.reject(new WebAPIHTTPError(503, '', {}, ''))
const unreachable = () => Promise.reject(new WebAPIRequestError(new Error('reset')))
const busy = () => Promise.reject(new SlackBusyError(30))
const allScopes = new Set(abilityNames.flatMap((name) => abilities[name].scopes))

/** What Slack says each time that it is asked, the last of it for good. */
function judge(...said: readonly (readonly string[])[]): Judge {
  const left = [...said]
  return { complaintsAbout: async () => (left.length > 1 ? left.shift() : left[0]) ?? [] }
}
const card = sampleCard(cardSettings)

export const wellToken = slackTokenCheck(async () => allScopes)

export function transport(how: ReturnType<Parameters<typeof transportCheck>[0]>) {
  return transportCheck(
    () => how,
    () => now,
  )
}

function overHttp(when: string, lastEventAt: number | undefined, name: string): Promise<Entry> {
  return found(when, transport({ kind: 'http', lastEventAt, signatures: noneRefused }), name)
}

const noneRefused = { refused: { headers: 0, clock: 0, secret: 0 }, lastRefusedAt: undefined }
const someRefused = {
  refused: { headers: 41, clock: 2, secret: 7 },
  lastRefusedAt: now - 3 * minuteMs,
}

export const slackLines: readonly Entry[] = await Promise.all([
  found('Slack refuses the bot token.', slackTokenCheck(refused('invalid_auth'))),
  found(
    'Slack refuses the token of one installation among several.',
    slackTokenCheck(refused('account_inactive'), [], 'oauth'),
  ),
  found('Slack has a fault.', slackTokenCheck(refused('fatal_error'))),
  found('Slack answers with no more than a status.', slackTokenCheck(withStatus)),
  found('Bellhop can’t reach Slack.', slackTokenCheck(unreachable)),
  found('Slack asks Bellhop to wait.', slackTokenCheck(busy)),
  line('Slack takes too long.', tooSlow(wellToken, 5_000)),
  found(
    'A proxy drops the header that lists the token’s scopes.',
    slackTokenCheck(async () => undefined),
    'Scopes',
  ),
  ...scopeFindings(new Set()).map((finding) => line(`Without the scopes for “${finding.name}”.`, finding)),
  found(
    'Some features have their scopes, and others don’t.',
    slackTokenCheck(async () => new Set(['commands', 'chat:write', 'chat:write.public'])),
    'Scopes',
  ),
  found(
    'One feature has its scopes, and the others don’t.',
    slackTokenCheck(async () => new Set(['commands'])),
    'Scopes',
  ),
  found('Slack accepts a card.', cardCheck(judge([]), card)),
  found(
    'Slack refuses the link on cards.',
    cardCheck(judge(['invalid url [/blocks/3/elements/2/options/0/url]'], []), card),
  ),
  found(
    'Slack refuses a card, even without its link.',
    cardCheck(judge(['unsupported type: rich_text [/blocks/1/type]']), card),
  ),
  found('The socket has been lost since.', transport({ kind: 'socket', isConnected: false })),
  overHttp('A command over HTTP.', undefined, 'From Slack'),
  overHttp('No event yet.', undefined, 'Events'),
  overHttp('An event just now.', now, 'Events'),
  overHttp('An event a while ago.', now - 25 * minuteMs, 'Events'),
  found(
    'Strangers send requests as well.',
    transport({ kind: 'http', lastEventAt: now, signatures: someRefused }),
    'Refused requests',
  ),
  found(
    'Slack held back events.',
    heldBackCheck(
      () => ({ kind: 'socket', isConnected: true, heldBackAt: now - 25 * minuteMs }),
      () => now,
    ),
  ),
])

export function presence(is: () => Promise<Presence>) {
  return channelCheck(
    { name: 'This channel', where: 'this channel', channelId: onCallId, lost: cardsLost },
    is,
  )
}

export const channelLines: readonly Entry[] = await Promise.all([
  found(
    'A public channel without the bot.',
    presence(async () => 'not-member'),
  ),
  found(
    'A private channel without the bot.',
    presence(async () => 'hidden'),
  ),
  found(
    'The bot isn’t allowed to see its channels.',
    presence(async () => 'unknown'),
  ),
  found('Slack doesn’t say whether the bot is in the channel.', presence(refused('fatal_error'))),
  found('A direct message.', directCheck('This channel')),
])

/** Beside a bot that has refused some requests in a row. */
function besideRefusing(reason: 'secret' | 'clock') {
  return unprovenHttpCheck(
    async () =>
      `bellhop_signatures_refused_total{reason="${reason}"} 41\nbellhop_signatures_refused_in_a_row 41\n`,
  )
}

/** Where no bot runs. */
export const socketLines: readonly Entry[] = await Promise.all([
  found(
    'Bellhop uses HTTP.',
    unprovenHttpCheck(async () => undefined),
  ),
  found('A running Bellhop has refused every request because of the secret.', besideRefusing('secret')),
  found('A running Bellhop has refused every request because of the clock.', besideRefusing('clock')),
  found(
    'Socket Mode, and all is well.',
    socketOfferCheck(async () => undefined),
  ),
  found('Slack refuses the app-level token.', socketOfferCheck(refused('invalid_auth'))),
  found('Slack offers no socket at the moment.', socketOfferCheck(busy)),
])
