import { describe, expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'

const postgres = await startPostgres()

async function openSeveral(count: number, options: { readonly databaseUrl?: string } = {}) {
  const world = await openProcessWorld(options)
  const emails = Array.from({ length: count }, (_, index) => `p${index + 1}@example.com`)
  for (const email of emails) world.service.addUser({ email })
  const asked = () =>
    world.service.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => String(Object(body).email))
  return { world, emails, asked, line: `/grant 12 ${emails.join(',')} viewer` }
}

describe.each([
  { engine: 'SQLite', options: async () => ({}) },
  { engine: 'PostgreSQL', options: async () => ({ databaseUrl: await postgres.createDatabase() }) },
])('a bot on $engine that is killed (kill -9) in the middle of nine people', ({ options }) => {
  it('is followed by two that tell once: granted, not certain, never sent; and the rest can be tried', async () => {
    const { world, emails, asked, line } = await openSeveral(9, await options())
    const { alice, general, service, slack } = world
    const bot = await world.start()
    await world.connect()
    service.trouble.slow(300)
    await alice.types(line, general)
    await world.requested('POST', 1)
    service.trouble.hang({ only: 'POST', times: 4 })
    await world.requested('POST', 5)
    bot.child.kill('SIGKILL')
    await new Promise((resolve) => bot.child.once('exit', resolve))
    service.trouble.clear()

    await Promise.all([world.start(), world.start()])

    const told = await alice.sees('1 of 9 granted', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('Here’s the result of a grant you asked for earlier')
    expect(told.plain).toContain('✅ p1@example.com')
    expect(told.plain.match(/❓ p[2-5]@example.com: not certain/g)).toHaveLength(4)
    expect(told.plain.match(/➖ p[6-9]@example.com: not sent/g)).toHaveLength(4)
    expect(told.plain).toContain('the request may have gone out, but I was stopped')
    await slack.idle(6000)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(asked()).toHaveLength(5)
    await alice.presses('Try the rest again', told)
    await alice.sees('4 of 4 granted', alice.dm)
    expect(asked().toSorted()).toEqual(emails)
  }, 300_000)
})
