// Faults of the monitoring service: what a look-up and a grant make of each.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'vitest'
import type { MonitorService } from '../../../src/playground/monitor/start-monitor.ts'
import type { World } from '../../world.ts'
import { diskFull, type Fault, grants, seenBy, timesSent } from './fault.ts'

type Order = (trouble: MonitorService['trouble'], only: 'GET' | 'POST') => unknown

const busy = 'The monitoring service is busy or has a fault. Try again in a minute.'
const silent = 'The monitoring service does not answer. Try again in a minute.'
const odd = 'The monitoring service answered in a way Bellhop does not understand.'
const uncertain = '⚠️ Not certain'

/** Looks up and grants while the fault lasts; each is answered once, in these words. */
async function answers(
  world: World,
  order: Order,
  words: { readonly alert: string; readonly grant: string },
  sent = 1,
): Promise<void> {
  const { alice, general, service, slack } = world
  service.addAlert(diskFull)
  order(service.trouble, 'GET')
  await alice.types('/alert 5HkX', general)
  await alice.sees(words.alert, general)
  service.trouble.clear()
  order(service.trouble, 'POST')
  await grants(world, 'm1@example.com')
  await alice.sees(words.grant, general)
  await slack.idle(100)
  expect(seenBy(alice, /m1@example\.com/, world)).toHaveLength(1)
  expect(timesSent(world, 'm1@example.com')).toBe(sent)
  expect(alice.messages(general)).toHaveLength(2)
}

function row(
  fault: string,
  seen: string,
  held: string,
  order: Order,
  words: { readonly alert: string; readonly grant: string },
): Fault {
  return { fault, seen, held, play: (world) => answers(world, order, words) }
}

const notSaid = 'the grant was sent once, and is told as not certain with what to check'

export const serviceFaults: readonly Fault[] = [
  row(
    'The service answers 429 with `Retry-After`',
    'the card, a little later; a grant: not granted, try again later',
    'a read is asked again in its time, a grant never',
    (trouble, only) => trouble.rateLimit({ only, times: 1, retryAfterSeconds: 1 }),
    { alert: 'Disk full', grant: 'Not granted' },
  ),
  row('The service answers 500', `“${busy}”`, notSaid, (trouble, only) => trouble.answer(500, { only }), {
    alert: busy,
    grant: uncertain,
  }),
  row(
    'The service answers 502 with a page of HTML, once',
    'the card; a grant: not certain',
    notSaid,
    (trouble, only) =>
      trouble.answer(502, {
        ...{ only, times: 1, body: '<html>Bad gateway</html>' },
        headers: { 'content-type': 'text/html' },
      }),
    { alert: 'Disk full', grant: uncertain },
  ),
  row(
    'The service answers 503 for a while',
    `“${busy}”`,
    notSaid,
    (trouble, only) => trouble.answer(503, { only }),
    { alert: busy, grant: uncertain },
  ),
  row(
    'The service takes the request and never answers',
    `“${silent}”`,
    notSaid,
    (trouble, only) => trouble.hang({ only }),
    { alert: silent, grant: uncertain },
  ),
  row(
    'The service sends its answer drop by drop, without an end',
    `“${odd}”`,
    'no more than 4 MiB are read; a grant: not certain',
    (trouble, only) => trouble.endless({ only }),
    { alert: odd, grant: uncertain },
  ),
  row(
    'The connection to the service is cut in the middle of an answer, once',
    'the card; a grant: not certain',
    notSaid,
    (trouble, only) => trouble.cut({ only, times: 1, when: 'mid-body' }),
    { alert: 'Disk full', grant: uncertain },
  ),
  row(
    'The connection to the service is reset before an answer, once',
    'the card; a grant: not certain',
    notSaid,
    (trouble, only) => trouble.cut({ only, times: 1, when: 'before-answer' }),
    { alert: 'Disk full', grant: uncertain },
  ),
  row(
    'The connection to the service is reset after it did what was asked',
    'the card; a grant: not certain',
    notSaid,
    (trouble, only) => trouble.cut({ only, times: 1, when: 'after-effect' }),
    { alert: 'Disk full', grant: uncertain },
  ),
  row(
    'The service answers JSON that does not fit its contract, or none',
    `“${odd}”`,
    'logged with a reference, never shown; a grant: not certain',
    (trouble, only) => trouble.answer(200, { only, body: { ks: 5 } }),
    { alert: odd, grant: uncertain },
  ),
  row(
    'The service answers with 10 MB',
    `“${odd}”`,
    'no more than 4 MiB are read',
    (trouble, only) => trouble.huge(10_000_000, { only }),
    { alert: odd, grant: uncertain },
  ),
  row(
    'The service answers about another alert',
    `“${odd}”`,
    'the wrong alert is not shown',
    (trouble, only) => trouble.answer(200, { only, body: otherAlert }),
    { alert: odd, grant: uncertain },
  ),
  {
    fault: 'The service cannot be connected to',
    seen: `“${silent}”; a grant: not granted`,
    held: 'nothing was sent',
    async play(world) {
      await world.service.trouble.down()
      await answers(world, () => undefined, { alert: silent, grant: 'Not granted' }, 0)
    },
  },
  {
    fault: 'The service redirects to another address',
    seen: `“${odd}”; a grant: not certain`,
    held: 'nobody else is asked, and no token goes there',
    async play(world) {
      let asked = 0
      const elsewhere = createServer((_request, response) => {
        asked += 1
        response.end('{}')
      }).listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      const address = elsewhere.address()
      const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`
      await answers(world, (trouble, only) => trouble.redirect(url, { only }), {
        alert: odd,
        grant: uncertain,
      })
      elsewhere.close()
      expect(asked).toBe(0)
    },
  },
]

const otherAlert = {
  ...{ ks: 'another', message: 'Not yours', severity: 2, timestamp: 1_700_000_000 },
  ...{ lastMessage: 'Not yours', lastSeverity: 2, lastTimestamp: 1_700_000_000 },
  ...{ ownerId: null, closedTimestamp: null, actions: [] },
}
