// Nobody’s text can keep the bot from its acks: the longest that Slack passes on, of every awkward kind, is read in a moment
// wherever it is typed, pasted, posted or written by the service.
import { afterAll, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

/** Of a command, of a message, of a text of the service. */
const [typed, said, told] = [11_900, 40_000, 19_000]
/** Of the processor, not of a clock, so that others may keep the machine busy: of the bot, and of the stand-ins beside it. */
const mostMs = 1_500

/** Of each the text is made by repeating it: alone, or between words. */
const awkward = [
  ...`" “ ” „ « » ' \` < > ( ] { &lt; &amp; , ; . : ! @ | \\ / % * - ſ 1 a "a a" \\" <a| <@ a@ a@b, %20`.split(
    ' ',
  ),
  ...`<mailto: <mailto:a@b|a@b> <@UBOT| https:// <https://a| ks=" token=" "token":[ "token":[\\"`.split(
    ' ',
  ),
  ...[
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u200b',
    '\u0301',
    '\u202e',
    '\ud800',
    '😀',
    ' \n',
    ', ',
    'via ',
    '/alert ',
  ],
  ...['“a ', '"a" ', '<a ', 'a@b ', '@a ', '&lt;a@b&gt; ', '<a@b> ', '<@UBOT> ', '`a1b2 ', '1111 '],
]

const world = await openWorld({
  env: { RATE_PER_MINUTE: '0' },
  slack: { keepsLimits: false },
  level: 'warn',
  until: afterAll,
})
world.expectRefusals()

it.each(awkward)('of %j, a text is never read for long', async (piece) => {
  const { alice, service, slack } = world
  const textOf = (length: number) => `x${piece.repeat(length / piece.length)}x`
  const channel = slack.addChannel({ name: 'texts', members: [alice], botIsMember: true })
  const message = textOf(told)
  service.addAlert({
    ks: '5HkX',
    message,
    actions: [{ kind: 'Comment', data: { userId: 7, message } }],
  })
  const before = process.threadCpuUsage()

  for (const line of [
    '/alert ',
    '/alert 5HkX ',
    '/alert comment 5HkX ',
    '/grant ',
    '/grant 12 dave@example.com ',
  ])
    await alice.types(line + textOf(typed), channel, { raw: true })
  await alice.types('/alert 5HkX private', channel)
  service.trouble.answer(400, { only: 'POST', times: 1, body: { message } })
  await alice.types('/grant 12 dave@example.com viewer', channel)
  alice.writes(`<@${slack.bot.userId}> ${textOf(typed)}`, channel, { raw: true })
  alice.writes(textOf(typed), alice.dm, { raw: true })
  const post = alice.says(`See https://monitor.example.com/alert/${textOf(said)}`, channel, {
    raw: true,
  })
  await alice.usesShortcut('alert.look-up-in-message', post)
  await alice.usesShortcut('act.add-as-comment', post)
  await slack.idle()

  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(mostMs)
  while (alice.modal !== undefined) await alice.closes()
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
})
