// `npm run doctor` beside a bot that runs: where no command gets through, it is the one place that can say why.
import { describe, expect, it } from 'vitest'
import { send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'
import { runDoctor } from './run-doctor.ts'

const otherSecret = '0123456789abcdef0123456789abcdef'
const body = 'command=%2Falert&text=help'

/** Beside this bot, with its settings. */
function doctorBeside({ env, url }: World) {
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
