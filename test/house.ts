// The house of a test, below `app.ts`: a real one on a database, for operations without a Slack around them. It reaches
// nobody; what a test is about, it puts in the place of what is there: `{ ...house, monitor }`.
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { resuming } from '../src/account/connect-first.ts'
import { actKind } from '../src/act/record.ts'
import { approvalKind } from '../src/approval/follow-ups.ts'
import { buildHouse, type World } from '../src/build.ts'
import { type Environment, parseConfig } from '../src/config/config.ts'
import { endKind } from '../src/ends/taking-back.ts'
import { grantKind } from '../src/grant/write.ts'
import type { House } from '../src/house.ts'
import { createLog } from '../src/log/log.ts'
import { modeKind } from '../src/maintenance/set-mode.ts'
import type { Clock } from '../src/slack/person.ts'
import { databaseFile, openUrl } from './storage/files.ts'

/** Nothing listens there. */
const silent = 'http://127.0.0.1:9'
/** Of all houses: they can open what is sealed in a database that they share. */
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`

interface HouseOptions {
  /** Settings in place of those that are needed, and beside them. Two houses on one database are two processes. */
  readonly env?: Environment
  readonly now?: Clock
  readonly monitorOptions?: World['monitorOptions']
}

/** Closed when the test is over. Slack was asked whose the bot is, and has not said: whoever waits for that waits for ever. */
export async function openHouse({
  env,
  now = Date.now,
  monitorOptions = {},
}: HouseOptions = {}): Promise<House> {
  const config = parseConfig({
    SLACK_BOT_TOKEN: 'xoxb-of-a-house',
    SLACK_SIGNING_SECRET: '0'.repeat(32),
    SLACK_API_URL: silent,
    MONITOR_API_URL: silent,
    ENCRYPTION_KEYS,
    ...env,
    DATABASE_URL: env?.DATABASE_URL ?? `file:${await databaseFile()}`,
  })
  const storage = await openUrl(config.databaseUrl, now)
  const asked = Promise.withResolvers<void>()
  const house = buildHouse(
    {
      config,
      storage,
      now,
      monitorOptions,
      log: createLog({ level: 'silent' }),
      // Nobody asks again.
      wait() {
        asked.resolve()
        return new Promise(() => undefined)
      },
      onRefused: asked.reject,
    },
    { afterwards, kinds },
    new AbortController().signal,
  )
  const { monitor, slack } = house
  onTestFinished(
    async () => void (await Promise.all([monitor.close(), slack.connection.destroy()])),
  )
  await asked.promise
  return house
}

const resume = resuming(async () => {
  throw new Error('nothing waits for an account in a house of tests')
})

const afterwards: House['afterwards'] = {
  resumes: {
    'look-up': resume,
    share: resume,
    refresh: resume,
    unfurl: resume,
    open: resume,
    watch: resume,
    follow: resume,
    act: resume,
    maintenance: resume,
    since: resume,
    grant: resume,
    'grant-change': resume,
    'grant-who': resume,
  },
  publishHome: async () => {},
  offerHandBack: async () => {},
}

const kinds: House['kinds'] = {
  assign: actKind,
  comment: actKind,
  close: actKind,
  'set-mode': modeKind,
  'add-user': grantKind,
  change: grantKind,
  remove: grantKind,
  invite: grantKind,
  uninvite: grantKind,
  extend: grantKind,
  'take-back': endKind,
  approval: approvalKind,
}
