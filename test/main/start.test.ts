// A start: what it says about settings, and what it does where Slack refuses. See process.long.test.ts.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { linesIn, openWorld } from '../world.ts'

const { PATH, NODE_COMPILE_CACHE } = process.env

describe('npm start', () => {
  it('without settings names every one that is missing and how to mend it, and exits with 1', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/start.js'], {
      env: { PATH, NODE_COMPILE_CACHE },
      encoding: 'utf8',
    })

    expect(status).toBe(1)
    const printed = stdout + stderr
    for (const name of ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'ENCRYPTION_KEYS']) {
      expect(printed).toContain(name)
    }
    expect(printed).toContain('npm run keygen')
    expect(printed).not.toMatch(/^\s+at /m)
  })
})

describe('a start that Slack answers with a refusal', () => {
  it.each(['org_login_required', 'team_added_to_org', 'accesslimited', 'service_unavailable'])(
    'asks Slack again when it is not the token that Slack refuses (%s)',
    async (error) => {
      const again = Promise.withResolvers<void>()
      const world = await openWorld({ isAliceConnected: false, wait: () => again.promise })
      world.expectRefusals()
      const readiness = async () => (await fetch(`${world.url}/readyz`)).text()
      await expect.poll(readiness).toBe('ok')
      world.slack.trouble.fail('auth.test', { error })

      await world.restart()

      await expect.poll(readiness).toContain('Slack: has not answered yet')
      again.resolve()
      await expect.poll(readiness).toBe('ok')
    },
  )

  it('says once what it waits for while Slack isn’t reached, without a stack', async () => {
    const world = await openWorld({ isAliceConnected: false, wait: async () => undefined })
    world.expectRefusals()
    const readiness = async () => (await fetch(`${world.url}/readyz`)).text()
    await expect.poll(readiness).toBe('ok')
    world.slack.trouble.cut('auth.test', { times: 5 })

    await world.restart()

    await expect.poll(readiness).toBe('ok')
    const waits = world.log.filter((line) => line.includes('does not answer yet'))
    expect(waits).toEqual([expect.stringMatching(/"why":"[^"]+"/)])
    expect(world.log.join()).not.toContain('"stack"')
  })

  it('can be stopped at once while Slack isn’t reached, whatever waits for it', async () => {
    const world = await openWorld({ wait: () => new Promise(() => undefined) })
    const { alice, general, slack } = world
    world.expectRefusals()
    slack.trouble.cut('auth.test')
    await world.restart()
    await expect.poll(() => linesIn(world.log, 'does not answer yet')).toHaveLength(1)
    await alice.types('/alert 5HkX', general)

    // Else as long as it may.
    await world.bellhop.stop(600_000)

    expect(await fetch(world.url).catch(() => 'closed')).toBe('closed')
  })

  it.each([
    ['no app-level token of Slack', 'invalid_auth'],
    ['of another kind', 'not_allowed_token_type'],
    ['without the scope', 'missing_scope'],
  ])('cannot go on when the app token is %s, and says what to do', async (_what, error) => {
    const world = await openWorld({ isAliceConnected: false, transport: 'socket' })
    world.expectRefusals()
    // The bot of before may still open its second socket.
    world.slack.trouble.fail('apps.connections.open', { error }, { times: 5 })

    await world.restart()

    const why = () => world.log.find((line) => line.includes('SLACK_APP_TOKEN: '))
    await expect.poll(why).toContain(`Slack refuses it (${error})`)
    expect(why()).toContain('connections:write')
  })
})
