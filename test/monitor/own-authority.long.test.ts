// A service whose certificate an authority of the operator's own signed: MONITOR_CA_FILE, wherever settings are read.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { openProcessWorld } from '../playground-world.ts'
import { certificatePath, startProxy } from '../proxy/start-proxy.ts'
import { runFile } from '../terminal/run-command.ts'
import { aliceToken, diskFull, openWorld } from '../world.ts'
import { authorityPath, startTls } from './start-tls.ts'

/** Settings of a bot whose service is behind a proxy, as monitor.test, and Slack too, as slack.test. */
async function openBehindProxy() {
  const { env, service, slack } = await openProcessWorld()
  const proxy = await startProxy({ 'slack.test': slack.apiUrl, 'monitor.test': service.url })
  onTestFinished(() => proxy.stop())
  return { ...env, MONITOR_API_URL: 'https://monitor.test', HTTPS_PROXY: proxy.url }
}

describe('a service whose certificate an authority of one’s own signed', () => {
  it('shows alerts and takes grants when MONITOR_CA_FILE names that authority', async () => {
    const front = await startTls()
    const { alice, general, service, connect } = await openWorld({
      env: { MONITOR_API_URL: front.url, MONITOR_CA_FILE: authorityPath },
      isAliceConnected: false,
    })
    front.leadTo(service.url)
    service.addAlert(diskFull)

    await connect(alice, aliceToken)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
  })

  it('is told by doctor, whose remedy works as it stands', async () => {
    const front = await startTls()
    const { env, service } = await openProcessWorld()
    front.leadTo(service.url)
    const settings = { ...env, MONITOR_API_URL: front.url }

    const before = await runDoctor(settings)
    const after = await runDoctor({ ...settings, MONITOR_CA_FILE: authorityPath })

    expect(before.printed).toMatch(/^RED +Monitoring service [^\n]*\n +Fix: [^\n]*MONITOR_CA_FILE/m)
    expect(after.printed).toMatch(/^GREEN +Monitoring service +It answers in/m)
  })

  it('is reached through HTTPS_PROXY, while Slack is trusted no further than before', async () => {
    const settings = await openBehindProxy()

    // The same certificate is the one of both hosts.
    const { printed } = await runDoctor({
      ...settings,
      SLACK_API_URL: 'https://slack.test/api',
      MONITOR_CA_FILE: certificatePath,
    })

    expect(printed).toMatch(/^GREEN +Monitoring service +It answers in/m)
    expect(printed).toMatch(/^RED +Slack token [^\n]*no answer/m)
  })

  it('is one more that is trusted: all that were trusted before still are', async () => {
    const settings = await openBehindProxy()

    const { printed } = await runFile('src/terminal/doctor.ts', {
      ...settings,
      // Of the machine: Node reads it at its start.
      NODE_EXTRA_CA_CERTS: certificatePath,
      MONITOR_CA_FILE: authorityPath,
    })

    expect(printed).toMatch(/^GREEN +Monitoring service +It answers in/m)
  })
})

describe('MONITOR_CA_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-ca-'))
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const read = (MONITOR_CA_FILE: string) =>
    parseConfig({
      SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
      SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      MONITOR_API_URL: 'https://monitor.example.com',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      MONITOR_CA_FILE,
    }).monitor.authorities
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const pem = readFileSync(authorityPath, 'utf8')

  it('may hold several certificates with words between them', () => {
    const words = `Of the office\r\n${pem}\nOf the lab\n${readFileSync(certificatePath)}`
    expect(read(write('several.pem', words))).toHaveLength(2)
  })

  it.each([
    ['is not there', () => join(folder, 'nowhere.pem')],
    ['is empty', () => write('empty.pem', '')],
    [
      'holds a key',
      () => write('key.pem', '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n'),
    ],
    ['is damaged', () => write('bad.pem', pem.replace('MII', 'AAA'))],
    ['is a secret by mistake', () => 'k1:AAAA/BBBBBBBB+CCCCC='],
    ['is the certificate itself', () => pem],
  ])('that %s stops the start, and is not repeated', (_, file) => {
    const given = file()
    expect(() => read(given)).toThrow(/^MONITOR_CA_FILE: doesn’t name a file with a certificate/)
    expect(() => read(given)).not.toThrow(given)
  })
})
