// `npm run doctor` beside a bot that runs: where no command gets through, it is the one place that can say why.
import { describe, expect, it } from 'vitest'
import { openInstalls } from '../install/world.ts'
import { send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'
import { runDoctor } from './run-doctor.ts'

const otherSecret = '0123456789abcdef0123456789abcdef'
const body = 'command=%2Falert&text=help'

/** Beside this bot, with its settings. */
function doctorBeside({ env, url }: Pick<World, 'env' | 'url'>) {
  return runDoctor({ ...env, PORT: new URL(url).port })
}

const settled = { isAliceConnected: false, env: { PUBLIC_URL: 'https://bellhop.example.com' } } as const

describe('npm run doctor, beside a bot over HTTP', () => {
  it('says that all requests were refused, and that the secret is probably wrong', async () => {
    const world = await openWorld(settled)
    for (let times = 0; times < 3; times += 1) await send(world, { body, secret: otherSecret })

    const { exitCode, printed } = await doctorBeside(world)

    expect(exitCode).toBe(1)
    expect(printed).toMatch(
      /^RED +From Slack +The Bellhop that runs here has refused 3 requests since the last good one\.\n +Mend: .*SLACK_SIGNING_SECRET/m,
    )
  })

  it('says that the clock is probably wrong', async () => {
    const world = await openWorld(settled)
    for (let times = 0; times < 3; times += 1) await send(world, { body, ageSeconds: 900 })

    const { printed } = await doctorBeside(world)

    expect(printed).toMatch(/^RED +From Slack +.*refused 3 requests.*\n +Mend: .*clock/m)
  })

  it('does not take a stranger’s request between good ones for that', async () => {
    const world = await openWorld(settled)
    await send(world, { body })
    await send(world, { body, secret: otherSecret })

    const { printed } = await doctorBeside(world)

    expect(printed).toMatch(/^AMBER +From Slack +Over HTTP, Slack has to reach/m)
  })

  it('says what is known where none runs', async () => {
    const { env } = await openWorld(settled)

    const { printed } = await runDoctor({ ...env, PORT: '9' })

    expect(printed).toMatch(/^AMBER +From Slack +Over HTTP, Slack has to reach/m)
  })
})

describe('npm run doctor, beside a bot that workspaces install', () => {
  it('says that Slack refuses the token of one of them, once the bot has met it', async () => {
    const world = await openInstalls()
    const { acme, service, url } = world
    await world.installEverywhere()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    for (const method of ['auth.test', 'chat.postMessage', 'conversations.info', 'users.info']) {
      acme.slack.trouble.fail(method, { error: 'token_revoked' }, { times: Number.POSITIVE_INFINITY })
    }
    await acme.member.types('/alert 5HkX', acme.general)
    const figures = async () => (await fetch(`${url}/metrics`)).text()
    await expect.poll(figures, { timeout: 5_000 }).toContain('bellhop_bot_tokens_refused 1')

    const { exitCode, printed } = await doctorBeside(world)

    expect(exitCode).toBe(1)
    expect(printed).toMatch(
      /^RED +Installs +Slack refuses the bot token of 1 workspace\.\n +Mend: .*\/slack\/install/m,
    )
    expect(printed).not.toMatch(/^GREEN +Installs/m)
  })

  it('says that each installs it by itself, where no token is refused', async () => {
    const world = await openInstalls()
    await world.installEverywhere()

    const { printed } = await doctorBeside(world)

    expect(printed).toMatch(/^GREEN +Installs +Each workspace installs/m)
  })
})
