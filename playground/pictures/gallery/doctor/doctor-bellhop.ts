// The gallery's lines of doctor about what Bellhop itself stands on, and those that a terminal alone shows.
import { parseConfig, readSettings } from '../../../../src/config/config.ts'
import { behindCheck } from '../../../../src/doctor/checks/cards.ts'
import { type Check, tooSlow } from '../../../../src/doctor/checks/check.ts'
import { readyCheck } from '../../../../src/doctor/checks/running.ts'
import { operationsCheck } from '../../../../src/doctor/checks/service.ts'
import { settingCheck, settingProblems } from '../../../../src/doctor/checks/settings.ts'
import { storageCheck } from '../../../../src/doctor/checks/storage.ts'
import { databaseReasons, type Health, type Unwritable } from '../../../../src/doctor/health.ts'
import { readyWords } from '../../../../src/doctor/ready-words.ts'
import { keyProblems } from '../../../../src/keys/key-checks.ts'
import type { Entry } from '../stage/entry.ts'
import { alertUrl, placeUrl } from '../stage/sample.ts'
import { found, line } from './doctor-lines.ts'
import { socketLines } from './doctor-slack.ts'

const well: Health = {
  engine: 'PostgreSQL 18.1',
  isNew: false,
  pending: [],
  freeBytes: undefined,
  keyChecks: [],
}
const pending = ['0004-approvals', '0005-audit']

export function database(health: Partial<Health> = {}, isRunning = true): Check {
  return storageCheck(async () => ({ ...well, ...health }), isRunning)
}

/** What a bot that runs answers to /readyz. */
function notReady(reasons: {
  readonly process?: string
  readonly storage?: string
  readonly Slack?: string
}) {
  const { process = 'ready', storage = 'ready', Slack = 'ready' } = reasons
  return async () => `not ready\nprocess: ${process}\nstorage: ${storage}\nSlack: ${Slack}`
}

function unwritable(why: Unwritable): Check {
  return storageCheck(
    async () => well,
    true,
    () => [],
    async () => why,
  )
}

/** As it is found with these keys, where k1 sealed what is there. */
function sealedByAnother(ENCRYPTION_KEYS: string): Check {
  const { encryptionKeys } = parseConfig({ ...set, ENCRYPTION_KEYS })
  const keyChecks = [{ keyId: 'k1', sealed: 'k1.as-the-gallery-has-it', isUsed: true }]
  return storageCheck(
    async () => ({ ...well, keyChecks }),
    true,
    (checks) => keyProblems(checks, encryptionKeys),
  )
}

function keyNamed(id: string): string {
  return `${id}:${Buffer.alloc(32, id).toString('base64')}`
}

const set = {
  SLACK_BOT_TOKEN: 'xoxb-gallery',
  SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
  MONITOR_API_URL: 'https://monitoring.example.com/api',
  MONITOR_ALERT_URL: alertUrl,
  PUBLIC_URL: 'https://bellhop.example.com',
  ENCRYPTION_KEYS: keyNamed('k1'),
}

export function settings(
  changes: Readonly<Record<string, string>> = {},
  how: Partial<Parameters<typeof settingCheck>[1]> = {},
): Check {
  return settingCheck(parseConfig({ ...set, ...changes }), { isRunning: true, ...how })
}

const byInstalls = {
  SLACK_BOT_TOKEN: '',
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: '0123456789abcdef0123456789abcdef',
  SLACK_STATE_SECRET: 'as long as it is in the gallery',
}

const broken: Check = {
  name: 'Database',
  run: () => Promise.reject(new TypeError('as the gallery has it')),
  ifSlow: '',
}

export const bellhopLines: readonly Entry[] = await Promise.all([
  found('The database was emptied.', database({ isNew: true, pending })),
  found('The database is older than this version of Bellhop.', database({ pending })),
  found(
    'The disk is nearly full.',
    database({ engine: 'SQLite 3.51.0', freeBytes: 12 * 1024 * 1024 }),
    'Disk',
  ),
  found(
    'The disk has too little room for a write.',
    database({ engine: 'SQLite 3.51.0', freeBytes: 200 * 1024 }),
    'Disk',
  ),
  found('The disk is full.', unwritable('full')),
  found('The database is read-only.', unwritable('read-only')),
  found('A quota or a limit stops the database.', unwritable('refused')),
  found('A key that encrypted tokens in the database is missing.', sealedByAnother(keyNamed('k2')), 'Keys'),
  found(
    'A key that encrypted tokens in the database was replaced by another with the same id.',
    sealedByAnother(keyNamed('k1')),
    'Keys',
  ),
  line('The database takes too long.', tooSlow(database(), 5_000)),
  found('One key is set.', settings()),
  found('Several keys are set.', settings({ ENCRYPTION_KEYS: `${keyNamed('k2')},${keyNamed('k1')}` })),
  found('The signing secret looks odd.', settings({ SLACK_SIGNING_SECRET: 'x'.repeat(32) })),
  found('Alerts have no web link.', settings({ MONITOR_ALERT_URL: '' })),
  found(
    'Slack can’t preview links to this host.',
    settings({ MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}' }),
  ),
  found('Several workspaces install Bellhop.', settings(byInstalls), 'Installs'),
  found(
    'Several workspaces install Bellhop, and Slack refuses one’s token.',
    settings(byInstalls, { figures: async () => 'bellhop_bot_tokens_refused 1\n' }),
    'Installs',
  ),
  found('MONITOR_OPERATIONS is basic.', operationsCheck('basic')),
  found('Bellhop uses every operation.', operationsCheck('all')),
  found('Links can’t be looked up.', settings({ MONITOR_OPERATIONS: 'basic', MONITOR_ALERT_URL: placeUrl })),
  found(
    'A live card is behind.',
    behindCheck(async () => ({ overdue: 1, oldestMs: 25 * 60_000 })),
  ),
  found(
    'Several live cards are behind.',
    behindCheck(async () => ({ overdue: 12, oldestMs: 60_000 })),
  ),
  found('A defect of Bellhop’s own.', broken),
])

const { problems } = readSettings({ ...set, ENCRYPTION_KEYS: '' })

export const terminalLines: readonly Entry[] = [
  line('A setting is missing.', settingProblems(problems)[0]),
  ...socketLines,
  await found(
    'Bellhop uses HTTP, and PUBLIC_URL isn’t set.',
    settings({ PUBLIC_URL: '' }, { isRunning: false }),
  ),
  await found('The database before the first start.', database({ isNew: true, pending }, false)),
  await found(
    'The running Bellhop has lost its database.',
    readyCheck(notReady({ storage: databaseReasons.moved.said })),
  ),
  await found(
    'The running Bellhop can’t reach its database.',
    readyCheck(notReady({ storage: databaseReasons.away.said })),
  ),
  await found('The running Bellhop has just started.', readyCheck(notReady({ Slack: readyWords.silent }))),
  await found(
    'The running Bellhop has no connection to Slack.',
    readyCheck(notReady({ Slack: readyWords.noSocket })),
  ),
  await found('The database after an update of Bellhop.', database({ pending }, false)),
]
