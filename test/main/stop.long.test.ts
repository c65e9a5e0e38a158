// Signals, and what a stop by one lets finish: the bot as a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
})
