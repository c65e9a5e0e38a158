// `npm run manifest`: what it prints, and what it refuses.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isUnfurlDomain } from '../../src/config/installed.ts'
import { runManifest } from '../../src/terminal/manifest.ts'
import { fillManifest } from '../../src/web/manifest.ts'
import { type Ran, runCommand } from '../terminal/run-command.ts'

const template = readFileSync('manifest.yml', 'utf8')
const publicUrl = 'https://bellhop.example.com/bot'
const unfurlDomain = 'monitor.example.com'
const MONITOR_ALERT_URL = `https://${unfurlDomain}/alert/{ks}`

function run(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran> {
  return runCommand(runManifest, env, words)
}

const socket = fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain: undefined })
const ofInfraSonar = fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain: 'app.infrasonar.com' })
const http = fillManifest(template, { reach: { kind: 'http', publicUrl }, unfurlDomain })

describe('npm run manifest', () => {
  it('prints what is to be pasted, and needs no other setting', async () => {
    expect(await run({})).toEqual({ printed: ofInfraSonar, complaint: '', exitCode: 0 })
    expect((await run({ PUBLIC_URL: publicUrl, MONITOR_ALERT_URL })).printed).toBe(http)
  })

  it('says which way to Slack it prints where none of Slack’s secrets is set yet, and prints the other with --socket', async () => {
    const early = { PUBLIC_URL: publicUrl, MONITOR_ALERT_URL }
    const note =
      /^PUBLIC_URL is set and SLACK_APP_TOKEN is not, so this manifest is for HTTP\.[^\n]+--socket[^\n]+\n$/
    const bySocket = fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain })

    expect(await run(early)).toEqual({ exitCode: 0, printed: http, complaint: expect.stringMatching(note) })
    expect(await run(early, '--socket')).toEqual({ exitCode: 0, printed: bySocket, complaint: '' })
    expect(JSON.parse((await run(early, '--socket', '--json')).printed)).toEqual(parse(bySocket))
    const decided = await run({ ...early, SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef' })
    expect(decided).toEqual({ exitCode: 0, printed: http, complaint: '' })
  })

  it('prints the same as JSON when it is asked to', async () => {
    const { printed } = await run({ PUBLIC_URL: publicUrl, MONITOR_ALERT_URL }, '--json')
    expect(JSON.parse(printed)).toEqual(parse(http))
    expect(printed.endsWith('}\n')).toBe(true)
  })

  it('says what is missing, and prints nothing', async () => {
    expect(await run({ SLACK_SIGNING_SECRET: 'x' })).toEqual({
      exitCode: 1,
      printed: '',
      complaint: expect.stringMatching(/^PUBLIC_URL: is missing\. [^\n]+\n$/),
    })
  })

  it.each([['--yaml'], ['--json', '--validate'], ['xoxe.xoxp-1-a-token']])(
    'refuses %s in one sentence that repeats nothing',
    async (...words) => {
      const { exitCode, printed, complaint } = await run({}, ...words)
      expect([exitCode, printed]).toEqual([1, ''])
      expect(complaint).toMatch(/^npm run manifest prints YAML\. Add -- --json[^\n]+\n$/)
    },
  )

  it('leaves previews out for a host that Slack does not take', async () => {
    const ran = await run({ MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}' })
    expect(ran).toEqual({ exitCode: 0, printed: socket, complaint: '' })
  })
})

const schema: unknown = JSON.parse(readFileSync('test/reference/manifest.schema.1.0.0.json', 'utf8'))
const pattern = z
  .object({
    definitions: z.object({
      'app-manifests.v1.features.unfurl_domains': z.object({ items: z.object({ pattern: z.string() }) }),
    }),
  })
  .parse(schema).definitions['app-manifests.v1.features.unfurl_domains'].items.pattern

describe('a host of alert links', () => {
  it.each([
    ['monitor.example.com', true],
    ['MONITOR.example.com', true],
    ['on-call.example.com:8443', true],
    ['bücher.example', true],
    ['192.0.2.7', true],
    ['localhost:3000', true],
    ['on_call.example.com', false],
    ['monitor.example.com.', false],
    ['[2001:db8::7]', false],
    ['[::1]:3000', false],
    ['-odd.example', false],
    ['m', false],
  ])('has previews as Slack’s schema has it: %s', (host, hasPreviews) => {
    const { hostname } = new URL(`https://${host}/alert/x`)
    expect(isUnfurlDomain(hostname)).toBe(hasPreviews)
    expect(new RegExp(pattern).test(hostname)).toBe(hasPreviews)
  })

  it('has no previews when it is longer than Slack takes', () => {
    expect([isUnfurlDomain(`${'a.'.repeat(127)}a`), isUnfurlDomain(`${'a.'.repeat(127)}aa`)]).toEqual([
      true,
      false,
    ])
  })
})
