// Walks through the sources: `npm run walks` prints how many files of `src` have a part in one command, press or poll,
// from the signed request to its last answer; `-- --files` names them. Counted by V8's coverage, warm, on SQLite, in
// this process: a file has a part when one of its functions ran that does not run while nothing is asked.
import { Session } from 'node:inspector/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openStage, type Stage } from '../playground/pictures/gallery/stage/stage.ts'

const { files: printsFiles } = parseArgs({ options: { files: { type: 'boolean', default: false } } }).values

interface Walk {
  readonly name: string
  /** What comes before it, each time. */
  prepare?(stage: Stage, time: number): Promise<void>
  walk(stage: Stage, time: number): Promise<unknown>
}

const alert = { ks: '5HkX', title: 'Disk full', message: 'Disk /var is 97% full', hostAddress: 'db-03' }
const watched = { ks: '7NrQ', title: 'Queue long', message: 'Queue mail is 40 long', hostAddress: 'mx-01' }
const person = (time: number) => `person-${time}@example.com`

const walks: readonly Walk[] = [
  {
    name: '/alert, to its card',
    async walk({ alice, onCall, slack }) {
      const before = slack.messagesIn(onCall).length
      await alice.types(`/alert ${alert.ks}`, onCall)
      await slack.workspace.changes.until(
        () => slack.messagesIn(onCall).length > before || undefined,
        5_000,
        () => 'no card',
      )
    },
  },
  {
    name: '/grant, to its receipt',
    async walk({ alice, onCall, service }, time) {
      service.addUser({ email: person(time) })
      await alice.types(`/grant 12 ${person(time)} READ`, onCall)
      await alice.sees(person(time), onCall)
    },
  },
  {
    name: 'an approval, from Approve to its end',
    async prepare({ bob, onCall, service, slack }, time) {
      service.addUser({ email: person(time) })
      const prompts = () => bob.messages(onCall).filter(({ plain }) => plain.includes('[Ask for approval]'))
      const before = prompts().length
      await bob.types(`/grant 12 ${person(time)} READ`, onCall)
      const prompt = await slack.workspace.changes.until(
        () => (prompts().length > before ? prompts().at(-1) : undefined),
        5_000,
        () => 'no prompt',
      )
      await bob.presses('Ask for approval', prompt)
      await bob.seesModal('Ask for approval')
      await bob.submits({ fields: { Reason: 'on call' } })
      await bob.sees(person(time), onCall)
      await slack.idle()
    },
    async walk({ alice, bob, onCall }, time) {
      const card = alice.messages(onCall).find(({ plain }) => plain.includes(person(time)))
      await alice.presses('Approve', card)
      await bob.sees(person(time), bob.dm)
    },
  },
  {
    name: 'a token, from the form to “Connected”',
    async prepare({ alice, onCall }) {
      await alice.types('/alert connect', onCall)
      await alice.seesModal('Connect account')
    },
    async walk({ alice, slack }) {
      await alice.submits({ fields: { 'API token': 'alice-token' } })
      await slack.workspace.changes.until(
        () => alice.modal?.plain.includes('Connected.') || undefined,
        5_000,
        () => 'not connected',
      )
      await alice.closes()
    },
  },
  {
    name: 'a poll that redraws a live card, from its step to Slack’s answer',
    async prepare({ alice, onCall, slack }, time) {
      const isLive = alice.messages(onCall).some(({ plain }) => plain.includes('● Live'))
      if (!isLive) await alice.types(`/alert ${watched.ks} watch`, onCall)
      await alice.sees('● Live', onCall)
      // What fell due meanwhile is looked at before it changes.
      await delay(500)
      await slack.idle(100)
      queue.hit({ message: `Queue mail is ${time} thousand long` })
    },
    async walk({ alice, clock, onCall, slack }, time) {
      clock.advance(40_000)
      await alice.sees(`${time} thousand long`, onCall)
      await slack.idle(100)
    },
  },
]

const session = new Session()
session.connect()
await session.post('Profiler.enable')

/** `file function@offset` of each that ran since coverage began. */
async function ran(): Promise<ReadonlySet<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return new Set(
    result.flatMap(({ url, functions }) => {
      const [, file] = /\/(src\/.*)$/.exec(url) ?? []
      if (file === undefined || url.includes('/node_modules/')) return []
      return functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName, ranges }) => `${file} ${functionName}@${ranges[0]?.startOffset}`)
    }),
  )
}

async function whileCovered(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const found = await ran()
  await session.post('Profiler.stopPreciseCoverage')
  return found
}

const stage = await openStage()
const { slack, service } = stage
service.addAlert(alert)
const queue = service.addAlert(watched)
let time = 0
// What opening the stage has begun is no part of being idle.
await slack.idle(1_000)
/** The background jobs look every five seconds. */
const idle = await whileCovered(() => delay(6_000))

for (const { name, prepare, walk } of walks) {
  let found: ReadonlySet<string> = new Set()
  for (let round = 0; round < 3; round += 1) {
    time += 1
    stage.clock.advance(60_000)
    await prepare?.(stage, time)
    found = await whileCovered(async () => {
      await walk(stage, time)
      await slack.idle(100)
    })
  }
  const files = new Set([...found].filter((one) => !idle.has(one)).map((one) => one.split(' ', 1)[0] ?? ''))
  console.log(`${String(files.size).padStart(4)}  ${name}`)
  if (printsFiles) for (const file of [...files].sort()) console.log(`        ${file}`)
}

await stage.stop()
