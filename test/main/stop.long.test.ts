// Signals, and what a stop by one lets finish: the bot as a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBotProcess } from '../../playground/bot-process.ts'
import { openProcessWorld } from '../playground-world.ts'

/** Sends the process a signal when it begins to load the app, which takes a few hundred milliseconds. */
const signalWhileLoading = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('/src/app.ts')) process.kill(process.pid, 'SIGTERM')
      return next(url, context)
    },
  })`)}`

describe('SIGTERM', () => {
  it('while the bot is still loading ends it with 0', async () => {
    const { env } = await openProcessWorld()

    const { NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, ['--import', signalWhileLoading, 'src/start.js'], {
      env: { NODE_COMPILE_CACHE, ...env },
      stdio: 'ignore',
    })

    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('is told by /readyz first: all that comes within SHUTDOWN_DELAY_SECONDS is still answered, after a second one too', async () => {
    const world = await openProcessWorld()
    const { alice, general, service, slack } = world
    const bot = await world.start({ SHUTDOWN_DELAY_SECONDS: '60' })
    await world.connect()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await expect.poll(async () => (await fetch(`${bot.url}/readyz`)).status).toBe(200)
    // It ends nothing, and changes nothing either.
    bot.child.kill('SIGHUP')
    await bot.prints(/SIGHUP changes nothing/)

    bot.child.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${bot.url}/readyz`)).status).toBe(503)

    expect(await (await fetch(`${bot.url}/readyz`)).text()).toContain('process: is stopping')
    for (let times = 0; times < 5; times += 1) await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
    await slack.idle()
    expect(slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([])
    const answer = await fetch(`${bot.url}/healthz`)
    expect(answer.status).toBe(200)
    // Whoever keeps the connection would lose what they send on it later.
    expect(answer.headers.get('connection')).toBe('close')

    service.addAlert({ ks: '7QwZ', message: 'Disk slow' })
    service.trouble.slow(1_500)
    const before = service.requests.length
    await alice.types('/alert 7QwZ', general)
    await expect.poll(() => service.requests.length).toBeGreaterThan(before)
    // The delay is not waited for; what is under way is, whoever is impatient.
    bot.child.kill('SIGTERM')
    const answers = () =>
      fetch(`${bot.url}/healthz`).then(
        () => true,
        () => false,
      )
    await expect.poll(answers).toBe(false)
    bot.child.kill('SIGTERM')
    expect(await bot.ended).toBe(0)
    await alice.sees('Disk slow', general)
  })

  it('ends it by itself once SHUTDOWN_DELAY_SECONDS are over, by Socket Mode too', async () => {
    const world = await openProcessWorld()
    const { alice, general, slack } = world
    const bot = await world.start({ SLACK_APP_TOKEN: slack.appToken, SHUTDOWN_DELAY_SECONDS: '1' })
    await slack.socket.connected()

    bot.child.kill('SIGTERM')
    await bot.prints(/stopping/)
    expect((await fetch(`${bot.url}/readyz`)).status).toBe(503)
    await alice.types('/alert help', general)

    await alice.sees('/alert watches', general)
    expect(await bot.ended).toBe(0)
  })

  it('ends it also when nobody reads its log any more', async () => {
    const world = await openProcessWorld()
    const { alice, general } = world
    const bot = await world.start()
    bot.child.stdout?.destroy()

    await alice.types('/alert help', general)
    await alice.sees('/alert watches', general)
    bot.child.kill('SIGTERM')

    expect(await bot.ended).toBe(0)
  })

  it('to npm alone ends the bot as well', async () => {
    const { env } = await openProcessWorld()
    const { PATH = '', HOME = '' } = process.env
    // A group of its own, so that the test can tell whether anything of it is left.
    const npm = spawn('npm', ['start'], {
      env: { PATH, HOME, npm_config_update_notifier: 'false', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const { pid } = npm
    if (pid === undefined) throw new Error('npm did not start')
    const isAnyLeft = () => {
      try {
        return process.kill(-pid, 0)
      } catch {
        return false
      }
    }
    onTestFinished(() => {
      if (isAnyLeft()) process.kill(-pid, 'SIGKILL')
    })
    const bot = await readBotProcess(npm)
    const exited = once(npm, 'exit')

    npm.kill('SIGTERM')

    await bot.prints(/stopping/)
    await exited
    expect(isAnyLeft()).toBe(false)
  })

  it('gives what failed to be forgotten its last try at once', async () => {
    const world = await openProcessWorld()
    const { alice, slack, env } = world
    const bot = await world.start()
    await world.connect()
    const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
    onTestFinished(() => database.close())
    const countAccounts = () => database.prepare('select count(*) as n from accounts').get()?.n
    expect(countAccounts()).toBe(1)
    database.exec(`create trigger refuse before delete on accounts begin select raise(abort, 'refused'); end`)
    await slack.deactivate(alice)
    // The pause before the next try is of two seconds by then, and a stop does not wait for it.
    await bot.prints(/(trying again[\s\S]*){2}/)
    database.exec('drop trigger refuse')

    expect(await bot.stop()).toBe(0)

    expect(countAccounts()).toBe(0)
  })
})
