// The gallery's doctor: what it finds, from a bot that is well to one of which little works.
import type { Finding } from '../../../doctor/check.ts'
import { renderExamined } from '../../../doctor/render.ts'
import { scopeFindings } from '../../../doctor/slack.ts'
import { type Entry, flow, forYou, onPhone } from './entry.ts'
import { asOf } from './sample.ts'

const well: readonly Finding[] = [
  { name: 'Slack token', state: 'green', found: 'Slack accepts it.' },
  { name: 'Scopes', state: 'green', found: 'All that the manifest asks for.' },
  { name: 'From Slack', state: 'green', found: 'Your command arrived by Socket Mode, which is connected.' },
  { name: 'This channel', state: 'green', found: 'Bellhop is in this channel.' },
  { name: 'Monitoring service', state: 'green', found: 'It answers, after 34 ms.' },
  { name: 'Clock', state: 'green', found: 'It agrees with the service’s.' },
  {
    name: 'Your account',
    state: 'green',
    found:
      'The service accepts your token. What it may do differs by container and shows in use: reading needs API and READ; granting needs API and CONTAINER_ACCESS, which was not tried.',
  },
  { name: 'Database', state: 'green', found: 'PostgreSQL 18.1, reachable, up to date and writable.' },
  { name: 'Versions', state: 'green', found: 'Bellhop 0.1.0 on Node 24.21.0, linux.' },
]

const trouble: readonly Finding[] = well.map((one): Finding => {
  if (one.name === 'Monitoring service') {
    const mend = 'Start it, or correct host and port in MONITOR_API_URL.'
    return { ...one, state: 'red', found: 'Nothing listens there.', mend }
  }
  if (one.name === 'Your account') {
    const found = 'You are not connected, so Bellhop can read nothing for you.'
    return { ...one, state: 'amber', found, mend: 'Type /alert connect.' }
  }
  return one
})

/** What is found, and the button below. */
const found = (findings: readonly Finding[]) =>
  renderExamined({ findings, asOf, wayBack: 'not-tried', places: [] })

export const doctor: readonly Entry[] = [
  forYou('Doctor: all is well', 'Somebody types `/alert doctor`.', found(well)),
  onPhone(forYou('Doctor: something to mend', 'The same when the service is down.', found(trouble))),
  forYou(
    'Doctor: the way back is proven',
    'Somebody presses Test the way back.',
    renderExamined({ findings: well, asOf, wayBack: { tookMs: 240 }, places: [] }),
  ),
  forYou(
    'Doctor: features that are off',
    'The app was installed without any scope.',
    found(scopeFindings(new Set())),
  ),
  flow(
    'Doctor takes nothing after it',
    'Somebody types `/alert doctor please`.',
    async ({ alice, onCall }) => {
      await alice.types('/alert doctor please', onCall)
      return alice.sees('takes nothing after it', onCall)
    },
  ),
]
