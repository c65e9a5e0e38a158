// `npm run manifest`: what it prints, what it refuses, and how it asks Slack.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isUnfurlDomain } from '../../src/config/installed.ts'
import { renderVerdict, runManifest } from '../../src/terminal/manifest.ts'
import { fillManifest } from '../../src/web/manifest.ts'
import { certificatePath, startProxy } from '../proxy/start-proxy.ts'
import { type Ran, runCommand, runFile } from '../terminal/run-command.ts'

const template = readFileSync('manifest.yml', 'utf8')
const publicUrl = 'https://bellhop.example.com/bot'
const unfurlDomain = 'monitor.example.com'
const MONITOR_ALERT_URL = `https://${unfurlDomain}/alert/{ks}`
const SLACK_CONFIG_TOKEN = 'xoxe.xoxp-1-a-token-for-tests'

/** Nothing that it prints may hold the token. */
function withoutToken(ran: Ran): Ran {
  expect(ran.printed + ran.complaint).not.toContain(SLACK_CONFIG_TOKEN)
  return ran
}

async function run(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran> {
  return withoutToken(await runCommand(runManifest, env, words))
}

const socket = fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain: undefined })
const http = fillManifest(template, { reach: { kind: 'http', publicUrl }, unfurlDomain })

describe('npm run manifest', () => {
  it('prints what is to be pasted, and needs no other setting', async () => {
    expect(await run({ SLACK_APP_TOKEN: 'xapp-1' })).toEqual({ printed: socket, complaint: '', exitCode: 0 })
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

  it('prints nothing that Slack would refuse, and says why', async () => {
    const { exitCode, printed, complaint } = await run({ PUBLIC_URL: 'http://localhost:3000' })
    expect([exitCode, printed]).toEqual([1, ''])
    expect(complaint).toContain('Slack would refuse this manifest:\n')
    expect(complaint).toContain(
      'settings.interactivity.request_url: must be an https address, as in PUBLIC_URL.\n',
    )
  })

  it.each([['--yaml'], ['--json', '--validate'], [SLACK_CONFIG_TOKEN]])(
    'refuses %s in one sentence',
    async (...words) => {
      const { exitCode, printed, complaint } = await run({}, ...words)
      expect([exitCode, printed]).toEqual([1, ''])
      expect(complaint).toMatch(/^npm run manifest prints YAML\. Add -- --json[^\n]+\n$/)
    },
  )

  it('leaves previews out for a host that Slack does not take, and says so', async () => {
    const { exitCode, printed, complaint } = await run({
      MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}',
    })
    expect(exitCode).toBe(0)
    expect(printed).toBe(socket)
    expect(complaint).toMatch(
      /^MONITOR_ALERT_URL: Slack can’t preview links to on_call\.example\.com: [^\n]+\n$/,
    )
  })

  it('says nothing of that where previews are off', async () => {
    const env = { MONITOR_ALERT_URL: 'https://on_call.example.com/alert/{ks}', UNFURL: 'off' }
    expect((await run(env)).complaint).toBe('')
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

/** Slack's validator, which answers the same each time. */
async function startValidator(answer: object) {
  const asked: {
    readonly path: string
    readonly token: string | undefined
    readonly body: URLSearchParams
  }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const { url = '', headers } = request
    asked.push({ path: url, token: headers.authorization, body: new URLSearchParams(body) })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { asked, env: { SLACK_CONFIG_TOKEN, SLACK_API_URL: `http://127.0.0.1:${port}/api` } }
}

describe('npm run manifest -- --validate', () => {
  it('asks Slack with the token in a header, and says that Slack accepts it', async () => {
    const { asked, env } = await startValidator({ ok: true, errors: [] })
    const result = await run({ ...env, PUBLIC_URL: publicUrl, MONITOR_ALERT_URL }, '--validate')
    expect(result).toEqual({ printed: 'Slack accepts this manifest.\n', complaint: '', exitCode: 0 })
    expect(asked).toHaveLength(1)
    const [{ path, token, body } = { path: '', token: '', body: new URLSearchParams() }] = asked
    expect([path, token]).toEqual(['/api/apps.manifest.validate', `Bearer ${SLACK_CONFIG_TOKEN}`])
    expect([...body.keys()]).toEqual(['manifest'])
    expect(JSON.parse(body.get('manifest') ?? '')).toEqual(parse(http))
  })

  it('asks through the proxy where there is one', async () => {
    const { env } = await startValidator({ ok: true })
    const proxy = await startProxy({ 'slack.test': new URL(env.SLACK_API_URL).origin })
    onTestFinished(() => proxy.stop())
    const behind = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificatePath }
    // Node reads the authorities of the environment at its start.
    const settings = { ...env, ...behind, SLACK_API_URL: 'https://slack.test/api' }
    const result = await runFile('src/terminal/manifest.ts', settings, ['--validate'])
    expect(withoutToken(result)).toEqual({
      printed: 'Slack accepts this manifest.\n',
      complaint: '',
      exitCode: 0,
    })
    expect(proxy.tunnels).toEqual(['slack.test:443'])
  })

  it('says in Slack’s words what is wrong, and where', async () => {
    const { env } = await startValidator({
      ok: false,
      error: 'invalid_manifest',
      errors: [
        { message: 'Interactivity requires Socket Mode enabled', pointer: '/settings/interactivity' },
        { message: 'Something \u001b[2Jelse' },
      ],
    })
    expect(await run(env, '--validate')).toEqual({
      exitCode: 1,
      printed: '',
      complaint:
        'Slack refuses this manifest:\n' +
        '/settings/interactivity: Interactivity requires Socket Mode enabled\n' +
        'Something  [2Jelse\n',
    })
  })

  it('says how to get another token when Slack refuses this one', async () => {
    const { env } = await startValidator({ ok: false, error: 'token_expired' })
    const { exitCode, complaint } = await run(env, '--validate')
    expect(exitCode).toBe(1)
    expect(complaint).toContain(
      'SLACK_CONFIG_TOKEN: Slack refuses it (token_expired). It works for 12 hours: generate',
    )
  })

  it('says how to get a token where there is none, or another kind of it', async () => {
    const missing = await run({}, '--validate')
    expect([missing.exitCode, missing.printed]).toEqual([1, ''])
    expect(missing.complaint).toContain(
      'SLACK_CONFIG_TOKEN: is missing. At api.slack.com/apps, under Your App Config',
    )
    const wrong = await run({ SLACK_CONFIG_TOKEN: 'xoxe-1-refresh' }, '--validate')
    expect(wrong.complaint).toContain('SLACK_CONFIG_TOKEN: is not an app configuration token,')
    expect(wrong.complaint).not.toContain('xoxe-1-refresh')
  })

  it('tells a Slack that does not answer from one that does not look', async () => {
    const { exitCode, complaint } = await run(
      { SLACK_CONFIG_TOKEN, SLACK_API_URL: 'http://127.0.0.1:9/api' },
      '--validate',
    )
    expect([exitCode, complaint]).toEqual([
      1,
      'Slack didn’t answer. Check that this machine can reach slack.com, then try again.\n',
    ])
    expect(renderVerdict({ kind: 'no-verdict', why: 'fatal_error' })).toEqual([
      'Slack didn’t check the manifest (fatal_error). Try again in a minute.',
    ])
  })
})

it('the configuration token is for this command: the bot starts whatever stands in it', async () => {
  const { parseConfig } = await import('../../src/config/config.ts')
  const needed = {
    SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
    SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
    MONITOR_API_URL: 'https://monitoring.example.com/api/',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  }
  expect(parseConfig({ ...needed, SLACK_CONFIG_TOKEN: 'expired' })).toEqual(parseConfig(needed))
})
