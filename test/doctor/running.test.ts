// `npm run doctor` beside a bot that runs: where no command gets through, it is the one place that can say why.
import { renameSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readyCheck } from '../../src/doctor/checks/running.ts'
import { sqlitePath } from '../../src/storage/sqlite/file.ts'
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

/** The port of something that answers everything with this. */
async function answering(text: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(503).end(text))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

const settled = { isAliceConnected: false, env: { PUBLIC_URL: 'https://bellhop.example.com' } } as const

describe('npm run doctor, beside a bot over HTTP', () => {
  it('says that all requests were refused, and that the secret is probably wrong', async () => {
    const world = await openWorld(settled)
    for (let times = 0; times < 3; times += 1) await send(world, { body, secret: otherSecret })

    const { exitCode, printed } = await doctorBeside(world)

    expect(exitCode).toBe(1)
    expect(printed).toMatch(
      /^RED +From Slack +The Bellhop running here has refused the last 3 requests\.\n +Fix: .*SLACK_SIGNING_SECRET/m,
    )
  })

  it('says that the clock is probably wrong', async () => {
    const world = await openWorld(settled)
    for (let times = 0; times < 3; times += 1) await send(world, { body, ageSeconds: 900 })

    const { printed } = await doctorBeside(world)

    expect(printed).toMatch(/^RED +From Slack +.*refused the last 3 requests.*\n +Fix: .*clock/m)
  })

  it('does not take a stranger’s request between good ones for that', async () => {
    const world = await openWorld(settled)
    await send(world, { body })
    await send(world, { body, secret: otherSecret })

    const { printed } = await doctorBeside(world)

    expect(printed).toMatch(/^GREY +From Slack +Slack must be able to reach/m)
  })

  it('says what is known where none runs', async () => {
    const { env } = await openWorld(settled)

    const { printed } = await runDoctor({ ...env, PORT: '9' })

    expect(printed).toMatch(/^GREY +From Slack +Slack must be able to reach/m)
  })
})

describe('npm run doctor, beside a bot that is not ready', () => {
  it.each([{}, { SLACK_APP_TOKEN: 'xapp-of-nobody' }])(
    'says that the database file is gone, and that a start would begin empty (%o)',
    async (changes) => {
      const world = await openWorld(settled)
      world.expectRefusals()
      const file = sqlitePath(world.env.DATABASE_URL ?? '')
      renameSync(file, `${file}.aside`)

      const { exitCode, printed } = await doctorBeside({ ...world, env: { ...world.env, ...changes } })

      expect(exitCode).toBe(1)
      expect(printed).toMatch(
        /^RED +Database +The Bellhop running here has lost its database: the file was removed or replaced\.\n +Fix: Stop Bellhop and put the file back \(docs\/operating\/restore\.md\)\. Don’t start Bellhop before that, or it begins with an empty one\./m,
      )
      expect(printed).not.toContain('The first start creates')
    },
  )

  it('says what of Slack is not ready', async () => {
    const { env } = await openWorld(settled)
    const PORT = await answering('not ready\nstorage: ready\nSlack: the socket is not connected')

    const { exitCode, printed } = await runDoctor({ ...env, PORT })

    expect(exitCode).toBe(1)
    expect(printed).toMatch(/^RED +Slack +The Bellhop running here isn’t connected to Slack\.\n +Fix: /m)
  })

  it.each([
    ['storage: cannot be reached\nSlack: ready', 'can’t reach its database.'],
    [
      'storage: ready\nSlack: the bot token was refused (invalid_auth)',
      'isn’t ready: the bot token was refused (invalid_auth).',
    ],
  ])('says it in a sentence: %j', async (said, words) => {
    const [finding] = await readyCheck(async () => `not ready\n${said}`).run()
    expect(finding?.found).toBe(`The Bellhop running here ${words}`)
  })

  it('takes no other program for one', async () => {
    const { env } = await openWorld(settled)
    const PORT = await answering('storage: out of order')

    const { printed } = await runDoctor({ ...env, PORT })

    expect(printed).not.toContain('out of order')
    expect(printed).not.toContain('The Bellhop running here')
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
    await expect.poll(figures, { timeout: 30_000 }).toContain('bellhop_bot_tokens_refused 1')

    const { exitCode, printed } = await doctorBeside(world)

    expect(exitCode).toBe(1)
    expect(printed).toMatch(
      /^RED +Installs +Slack refuses the bot token of 1 workspace\.\n +Fix: .*\/slack\/install/m,
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
