// PostgreSQL crashes and comes back while people grant: each grant is sent once at most, and nobody is left without word.
import { expect, it } from 'vitest'
import { startOwnPostgres } from '../postgres.ts'
import { openMortalWorld } from './faults/mortal.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startOwnPostgres()
const laterMs = 400_000
const patient = { limitMs: 30_000 }

it('twelve grants, in the middle of which PostgreSQL crashes and is started again', async () => {
  const database = await createAgingDatabase(postgres)
  const world = await openMortalWorld({ databaseUrl: database.url })
  const { alice, general, service, slack } = world
  const bot = await world.start()
  await world.connect()
  const emails = Array.from({ length: 12 }, (_, index) => `p${index + 1}@example.com`)
  service.trouble.slow(50)

  const typed = emails.map((email) => {
    service.addUser({ email })
    return alice.types(`/grant 12 ${email} viewer`, general)
  })
  await world.requested('POST', 2)
  await postgres.crash()
  await postgres.start()
  expect((await Promise.all(typed)).map(({ outcome }) => outcome)).toEqual(emails.map(() => 'acked'))
  await slack.workspace.changes.until(
    () => alice.messages(general).length >= emails.length || undefined,
    patient.limitMs,
    () => `not all were answered:\n${alice.screen(general)}`,
  )
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200)
  expect(alice.messages(general)).toHaveLength(emails.length)

  // After a long night: what could not be told then is told now.
  bot.child.kill('SIGKILL')
  await bot.ended
  world.jump(laterMs)
  await database.later(laterMs)
  await world.start()
  const sent = service.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => String(Object(body).email))
  expect(sent).toEqual([...new Set(sent)])
  const told = () => [...alice.messages(general), ...alice.messages(alice.dm)].map(({ plain }) => plain)
  const isTold = (email: string) =>
    told().some((one) => /Granted|Not certain/.test(one) && one.includes(email))
  await slack.workspace.changes.until(
    () => sent.every(isTold) || undefined,
    patient.limitMs,
    () => `not told of all of ${sent}:\n${told().join('\n\n')}`,
  )
  service.addAlert({ ks: 'good', message: 'All is well again' })
  await alice.types('/alert good', general)
  await alice.sees('All is well again', general, patient)
}, 300_000)
