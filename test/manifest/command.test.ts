// `npm run manifest`: what it prints, and what it refuses.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fillManifest, runManifest } from '../../src/terminal/manifest.ts'
import { type Ran, runCommand } from '../terminal/run-command.ts'

const template = readFileSync('manifest.yml', 'utf8')
const publicUrl = 'https://bellhop.example.com/bot'
const unfurlDomain = 'monitor.example.com'
const MONITOR_ALERT_URL = `https://${unfurlDomain}/alert/{ks}`

function run(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran> {
  return runCommand(runManifest, env, words)
}

const ofInfraSonar = fillManifest(template, {
  publicUrl: undefined,
  unfurlDomain: 'app.infrasonar.com',
})
const http = fillManifest(template, { publicUrl, unfurlDomain })

describe('npm run manifest', () => {
  it('prints what is to be pasted, and needs no other setting', async () => {
    expect(await run({})).toEqual({ printed: ofInfraSonar, complaint: '', exitCode: 0 })
    expect((await run({ PUBLIC_URL: publicUrl, MONITOR_ALERT_URL })).printed).toBe(http)
  })

  it('is for HTTP where PUBLIC_URL alone is set, and for Socket Mode with --socket', async () => {
    const early = { PUBLIC_URL: publicUrl, MONITOR_ALERT_URL }
    const bySocket = fillManifest(template, { publicUrl: undefined, unfurlDomain })

    expect(await run(early)).toEqual({ exitCode: 0, printed: http, complaint: '' })
    expect(http).toMatch(
      /^# Bellhop’s Slack app, over HTTP\. For Socket Mode, run npm run manifest -- --socket\./,
    )
    expect(await run(early, '--socket')).toEqual({ exitCode: 0, printed: bySocket, complaint: '' })
  })

  it.each([['--yaml'], ['--socket', '--validate'], ['xoxe.xoxp-1-a-token']])(
    'refuses %s in one sentence that repeats nothing',
    async (...words) => {
      const { exitCode, printed, complaint } = await run({}, ...words)
      expect([exitCode, printed]).toEqual([1, ''])
      expect(complaint).toMatch(/^npm run manifest prints YAML\. Add -- --socket[^\n]+\n$/)
    },
  )
})
