// Faults of the monitoring service: what a look-up and a grant make of each.
import { expect } from 'vitest'
import type { MonitorService } from '../../../playground/monitor/start-monitor.ts'
import { openSink } from '../../sink.ts'
import type { World } from '../../world.ts'
import { diskFull, type Fault, grants, seenBy, timesSent } from './fault.ts'

type Order = (trouble: MonitorService['trouble'], only: 'GET' | 'POST') => unknown

const busy = 'Monitoring is busy or has a fault. Nothing was changed.'
const silent = 'Monitoring isn’t responding. Nothing was changed.'
const odd = 'Monitoring answered in a way I don’t understand.'
const uncertain = '❓ Not certain'

interface Words {
  readonly alert: string
  readonly grant: string
}

/** Looks up and grants while the fault lasts; each is answered once, in these words. */
async function answers(world: World, order: Order, words: Words, sent = 1): Promise<void> {
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

function row(fault: string, seen: string, order: Order, words: Words): Fault {
  return { fault, seen, play: (world) => answers(world, order, words) }
}

/** A look-up is told this, for as long as the fault lasts; a grant may have been made. */
function refused(fault: string, said: string, order: Order): Fault {
  return row(fault, `“${said}”`, order, { alert: said, grant: uncertain })
}

/** A look-up is asked again, and has its card; a grant is not, and may have been made. */
function passing(fault: string, order: Order): Fault {
  return row(fault, 'the card; a grant: not certain', order, {
    alert: 'Disk full',
    grant: uncertain,
  })
}

/** The same, and the grant was made: Bellhop sees it. */
function found(fault: string, when: 'mid-body' | 'after-effect'): Fault {
  return row(
    fault,
    'the card; a grant: granted, though monitoring doesn’t say by whom',
    (trouble, only) => trouble.cut({ only, times: 1, when }),
    { alert: 'Disk full', grant: '✅ Granted: m1@example.com is now Viewer on container 12' },
  )
}

export const serviceFaults: readonly Fault[] = [
  row(
    'The service answers 429 with `Retry-After`',
    'the card, a little later; a grant: not granted, try again later',
    (trouble, only) => trouble.rateLimit({ only, times: 1, retryAfterSeconds: 1 }),
    { alert: 'Disk full', grant: 'Not granted' },
  ),
  refused('The service answers 500', busy, (trouble, only) => trouble.answer(500, { only })),
  passing('The service answers 502 with a page of HTML, once', (trouble, only) =>
    trouble.answer(502, {
      ...{ only, times: 1, body: '<html>Bad gateway</html>' },
      headers: { 'content-type': 'text/html' },
    }),
  ),
  refused('The service answers 503 for a while', busy, (trouble, only) => trouble.answer(503, { only })),
  refused('The service takes the request and never answers', silent, (trouble, only) =>
    trouble.hang({ only }),
  ),
  refused('The service sends an endless answer, bit by bit', odd, (trouble, only) =>
    trouble.endless({ only }),
  ),
  found('The connection to the service breaks in the middle of an answer, once', 'mid-body'),
  passing('The connection to the service is reset before an answer, once', (trouble, only) =>
    trouble.cut({ only, times: 1, when: 'before-answer' }),
  ),
  found('The connection to the service is reset after it has done the work', 'after-effect'),
  refused('The service answers JSON that does not fit its contract, or none', odd, (trouble, only) =>
    trouble.answer(200, { only, body: { ks: 5 } }),
  ),
  {
    ...refused('The service answers with 10 MB', odd, (trouble, only) => trouble.huge(10_000_000, { only })),
    // So much takes its time on a busy machine.
    options: { budgetMs: 30_000 },
  },
  refused('The service answers about another alert', odd, (trouble, only) =>
    trouble.answer(200, { only, body: otherAlert }),
  ),
  {
    fault: 'Bellhop can’t connect to the service',
    seen: `“${silent}”; a grant: not granted`,
    async play(world) {
      await world.service.trouble.down()
      await answers(world, () => undefined, { alert: silent, grant: 'Not granted' }, 0)
    },
  },
  {
    fault: 'The service redirects to another address',
    seen: `“${odd}”; a grant: not certain`,
    async play(world) {
      const elsewhere = await openSink()
      await answers(world, (trouble, only) => trouble.redirect(elsewhere.url, { only }), {
        alert: odd,
        grant: uncertain,
      })
      elsewhere.stop()
      expect(elsewhere.heard).toEqual([])
    },
  },
]

const otherAlert = {
  ...{ ks: 'another', message: 'Not yours', severity: 2, timestamp: 1_700_000_000 },
  ...{ lastMessage: 'Not yours', lastSeverity: 2, lastTimestamp: 1_700_000_000 },
  ...{ ownerId: null, closedTimestamp: null, actions: [] },
}
