// Messages about many ends at once: valid to Slack, and small enough.
import { expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { sizeOf } from '../../playground/slack/check/limits.ts'
import { renderEnded, renderSoon, renderStuck, type ShownEnd } from '../../src/ends/render.ts'
import type { WhyNot } from '../../src/ends/states.ts'
import { defaultRoles, flags } from '../../src/grant/roles.ts'
import { joined, type Message } from '../../src/slack/outbound/message.ts'
import { limits } from '../../src/slack/text/mrkdwn.ts'
import { times } from './many.ts'
import { runningEnd } from './sample.ts'

const long = (at: number, length: number) => `${at}${'x'.repeat(length)}`

/** Each on a container of its own, with more flags than anybody gives for a time. */
const shown = (count: number, may: ShownEnd['may'], why?: WhyNot) =>
  times(count).map((at): ShownEnd => {
    const email = `${long(at, 40)}@example.com`
    const given = { flags: flags.slice(0, 8), why, endsAt: 1_700_000_000_000 }
    const end = { ...runningEnd, ...given, id: crypto.randomUUID(), whom: { email } }
    return { end, container: `${long(at, 60)} (12)`, may }
  })

const stuck = (why: WhyNot) =>
  joined(
    shown(10, undefined, why).map((one) => renderStuck(one, 'Alice Archer’s', true, defaultRoles)),
  )

it.each<[string, Message]>([
  ['that end soon, to their giver', renderSoon(shown(20, 'extend'), 'your', defaultRoles)],
  ['that end soon, to whoever has them', renderSoon(shown(20, 'give up'), 'your', defaultRoles)],
  ['that nobody’s account ends', stuck('refused')],
  ['that no list shows', stuck('not-listed')],
  [
    'that have ended',
    renderEnded(
      shown(20, 'ask').map(({ end, container }, at) => ({
        who: end.whom.email,
        what: `Viewer and FLAG_${at} on ${container}`,
        lateAt: 1_700_000_000_000,
      })),
    ),
  ],
])('as many as one message tells of, fit: %s', (_, { blocks }) => {
  expect(blockErrors(JSON.parse(JSON.stringify(blocks)))).toEqual([])
  expect(sizeOf(blocks)).toBeLessThan(limits.messageSize)
})
