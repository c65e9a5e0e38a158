// The gallery's ways of asking for access: help, roles, and what can be wrong with a line.

import { parseGrant } from '../../../../src/grant/line/line.ts'
import { notYourLine, renderHelp, renderProblems, renderRoles } from '../../../../src/grant/render/help.ts'
import type { GrantSettings } from '../../../../src/grant/roles.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import type { NewPerson } from '../../../slack/options.ts'
import { escapeCommandText } from '../../../slack/text/command-text.ts'
import { type Entry, flow, forYou } from '../stage/entry.ts'
import { grantSettings } from '../stage/sample.ts'

/** @param typed - Behind `/grant`, before Slack encodes it. */
function wrong(name: string, typed: string): Entry {
  const line = escapeCommandText(typed, [], [])
  const ask = parseGrant(line, grantSettings)
  if (ask.kind !== 'problems') throw new TypeError(`no problem: ${ask.kind}`)
  const { problems } = ask
  const mended = ask.mended === undefined ? undefined : { line: ask.mended, id: '', userId: 'U1' }
  return forYou(name, `Somebody types \`/grant ${typed}\`.`, renderProblems({ problems, line, mended }))
}

export const asking: readonly Entry[] = [
  forYou('Help for /grant', 'Somebody types `/grant help`.', renderHelp(grantSettings)),
  forYou(
    'Help for /grant, without sign-in providers',
    'The same, if neither sign-in providers nor roles are set up.',
    renderHelp({ roles: {}, authProviders: [] } satisfies GrantSettings),
  ),
  forYou('Roles', 'Somebody types `/grant roles`.', renderRoles(grantSettings.roles)),
  forYou('No roles', 'Somebody types `/grant roles`, and none are set up.', renderRoles({})),
]

export const wrongLines: readonly Entry[] = [
  wrong('Several things wrong', 'twelve dave REED wizard sorcerer via Okta'),
  wrong('A typo', '12 dave@example.com REED'),
  wrong('A mistyped word of /grant', 'hlep'),
  forYou(
    'A mended line run by somebody else',
    'Somebody else sends a forged press of Run this.',
    say(notYourLine),
  ),
  wrong('Several flags that may be meant', '12 dave@example.com RULE'),
  wrong('A number that is too long', '9007199254740991 dave@example.com viewer'),
  wrong('Two numbers', '12 34 dave@example.com viewer'),
  wrong('No word for the provider', '12 dave@example.com viewer via'),
  wrong('A name alone', '34 bob viewer'),
  wrong('Wrong addresses among others', '12 dave@example.com,erin,frank@ viewer'),
  wrong(
    'Too many people',
    `12 ${Array.from({ length: 21 }, (_, index) => `p${index + 1}@x.com`).join(',')} viewer`,
  ),
  wrong('A flag or a name', '12 viewer <dave@example.com> READ'),
  wrong('A name that Slack does not resolve', '12 @dav viewer'),
]

/** Somebody who is mentioned and cannot be given access. */
function mentioned(name: string, when: string, person: NewPerson, words: string): Entry {
  return flow(name, when, async ({ slack, alice, onCall }) => {
    slack.addPerson(person)
    await alice.types(`/grant 12 @${person.name} viewer`, onCall)
    return alice.sees(words, onCall)
  })
}

export const people: readonly Entry[] = [
  mentioned('A mention of a bot', 'Somebody mentions a bot.', { name: 'deploybot', isBot: true }, 'is a bot'),
  mentioned(
    'A mention of somebody deactivated',
    'Somebody mentions a person who has left the workspace.',
    { name: 'frank', isDeleted: true, email: 'frank@example.com' },
    'is deactivated',
  ),
  mentioned(
    'A mention from another organisation',
    'Somebody mentions a person from another organisation in a shared channel.',
    { name: 'eve', teamId: 'T0OTHER01', email: 'eve@other.example' },
    'another organisation',
  ),
  mentioned(
    'A mention without an address',
    'Slack shows no address for the mentioned person.',
    { name: 'heidi' },
    'shows no email address',
  ),
  flow(
    'A mention that Bellhop may not look up',
    'Bellhop lacks the scope that shows who people are.',
    async ({ slack, alice, onCall }) => {
      slack.trouble.fail('users.info', { error: 'missing_scope' })
      await alice.types('/grant 12 <@U0NOBODY1|nobody> viewer', onCall, { raw: true })
      return alice.sees('users:read is missing', onCall)
    },
  ),
  flow(
    'A mention of nobody whom Slack knows',
    'Slack doesn’t know the mentioned person, or doesn’t show them to the bot.',
    async ({ alice, onCall }) => {
      await alice.types('/grant 12 <@U0NOBODY1|nobody> viewer', onCall, { raw: true })
      return alice.sees('doesn’t know that person', onCall)
    },
  ),
]
