// The stand-in for several workspaces: what Slack would refuse of an app that is installed by OAuth, it refuses.
import { WebClient } from '@slack/web-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFront } from '../../playground/slack/front.ts'
import { record, text } from '../../playground/slack/model/json.ts'
import type { Person } from '../../playground/slack/person/person.ts'

const redirectUri = 'https://bellhop.example.com/slack/oauth_redirect'
const minuteMs = 60_000

async function open() {
  const clock = { now: 1_800_000_000_000 }
  const front = await startFront({
    clock: () => clock.now,
    redirectUrls: [redirectUri],
    scopes: ['chat:write', 'channels:read'],
    optionalScopes: ['channels:read'],
    isOrgDeployEnabled: true,
  })
  onTestFinished(() => front.stop())
  const acme = await front.openWorkspace({ teamName: 'Acme' })
  const ann = acme.addPerson({ name: 'ann' })
  const globex = await front.openWorkspace({ teamName: 'Globex' })
  const gus = globex.addPerson({ name: 'gus' })
  const good = {
    client_id: front.app.clientId,
    scope: 'chat:write,channels:read',
    redirect_uri: redirectUri,
    state: 'st4te',
  }

  async function authorize(query: Readonly<Record<string, string>>) {
    const url = `${front.origin}/oauth/v2/authorize?${new URLSearchParams(query)}`
    const response = await fetch(url, { redirect: 'manual' })
    const location = response.headers.get('location')
    return { back: location === null ? undefined : new URL(location), page: await response.text() }
  }
  async function codeFor(person: Person, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const { back } = await authorize({ ...good, as: person.id, ...more })
    return back?.searchParams.get('code') ?? ''
  }
  async function access(fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(fields)
    const response = await fetch(`${front.apiUrl}oauth.v2.access`, { method: 'POST', headers, body })
    return record(await response.json())
  }
  const client = { client_id: front.app.clientId, client_secret: front.app.clientSecret }
  const exchange = (code: string) => access({ ...client, code, redirect_uri: redirectUri })
  const webOf = (token: string) => new WebClient(token, { slackApiUrl: front.apiUrl })
  return { front, clock, acme, ann, globex, gus, good, authorize, codeFor, access, exchange, client, webOf }
}

describe('the page on which somebody allows an app', () => {
  it.each([
    ['a client that is not there', { client_id: 'other' }, 'invalid_client_id'],
    ['no scope', { scope: '' }, 'invalid_scope_requested'],
    ['a scope that the app does not have', { scope: 'chat:write,admin' }, 'invalid_scope'],
    ['an address that the app does not have', { redirect_uri: 'https://evil.example' }, 'bad_redirect_uri'],
    ['no state', { state: '' }, 'missing_state'],
  ])('refuses %s', async (_, wrong, word) => {
    const { authorize, good, ann } = await open()
    const { back, page } = await authorize({ ...good, as: ann.id, ...wrong })
    expect(back).toBeUndefined()
    expect(page).toContain(word)
  })

  it('sends the browser back with what was given to it, also when somebody cancels', async () => {
    const { authorize, good, ann } = await open()
    const allowed = await authorize({ ...good, as: ann.id })
    expect(allowed.back?.href.startsWith(redirectUri)).toBe(true)
    expect(allowed.back?.searchParams.get('state')).toBe('st4te')
    const cancelled = await authorize({ ...good, as: ann.id, answer: 'cancel' })
    expect(cancelled.back?.searchParams.get('error')).toBe('access_denied')
    expect(cancelled.back?.searchParams.get('code')).toBeNull()
  })

  it('lets optional scopes be left out, and no others', async () => {
    const { authorize, good, ann, codeFor, exchange } = await open()
    const lessScopes = await exchange(await codeFor(ann, { without: 'channels:read' }))
    expect(lessScopes.scope).toBe('chat:write')
    expect((await authorize({ ...good, as: ann.id, without: 'chat:write' })).page).toContain('scope_required')
  })
})

describe('a code', () => {
  it('is good once, for ten minutes, with the same address and the right secret', async () => {
    const { ann, codeFor, exchange, access, client, clock } = await open()
    const code = await codeFor(ann)
    const wrong = { ...client, code, redirect_uri: 'https://bellhop.example.com/elsewhere' }
    expect((await access(wrong)).error).toBe('bad_redirect_uri')
    expect((await access({ ...wrong, client_secret: 'no' })).error).toBe('bad_client_secret')
    expect((await access({ ...wrong, client_id: 'no' })).error).toBe('invalid_client_id')
    expect((await exchange('guessed')).error).toBe('invalid_code')
    expect((await exchange(code)).ok).toBe(true)
    expect((await exchange(code)).error).toBe('invalid_code')

    const late = await codeFor(ann)
    clock.now += 10 * minuteMs + 1
    expect((await exchange(late)).error).toBe('invalid_code')
  })

  it('is taken with client and secret in the header as well', async () => {
    const { front, acme, ann, codeFor, access } = await open()
    const { clientId, clientSecret } = front.app
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const fields = { code: await codeFor(ann), redirect_uri: redirectUri }
    expect(await access(fields, { authorization: `Basic ${basic}` })).toMatchObject({
      ok: true,
      token_type: 'bot',
      team: { id: acme.teamId, name: 'Acme' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: ann.id },
      bot_user_id: acme.bot.userId,
    })
  })
})

describe('a bot token', () => {
  it('reaches its own workspace and no other', async () => {
    const { acme, globex, ann, gus, codeFor, exchange, webOf } = await open()
    const [one, other] = [await exchange(await codeFor(ann)), await exchange(await codeFor(gus))]
    expect(one.access_token).not.toBe(other.access_token)

    const web = webOf(text(one.access_token) ?? '')
    expect(await web.auth.test()).toMatchObject({ team_id: acme.teamId, url: 'https://acme.slack.com/' })
    const theirs = globex.addChannel({ name: 'general', botIsMember: true })
    await expect(web.chat.postMessage({ channel: theirs.id, text: 'hello' })).rejects.toThrow(
      'channel_not_found',
    )
    await expect(webOf('xoxb-made-up').auth.test()).rejects.toThrow('invalid_auth')
  })

  it('stays the same when the app is installed once more, and is good no more when it is taken out', async () => {
    const { front, acme, ann, codeFor, exchange, webOf } = await open()
    const { access_token: token } = await exchange(await codeFor(ann))
    expect((await exchange(await codeFor(ann))).access_token).toBe(token)

    acme.deliverTo('http://127.0.0.1:9/')
    await front.uninstall(acme)
    await expect(webOf(String(token)).auth.test()).rejects.toThrow('account_inactive')
    const events = acme.deliveries.map(({ payload }) => record(payload.event).type)
    expect(new Set(events)).toEqual(new Set(['tokens_revoked', 'app_uninstalled']))

    const { access_token: next } = await exchange(await codeFor(ann))
    expect(next).not.toBe(token)
    expect(await webOf(String(next)).auth.test()).toMatchObject({ ok: true })
  })

  it('is for a whole organisation where an admin of it says so', async () => {
    const { front, authorize, good, ann, codeFor, exchange, webOf } = await open()
    const grid = await front.openWorkspace({ teamName: 'Initech', isGrid: true })
    const olga = grid.addPerson({ name: 'olga' })
    const answer = await exchange(await codeFor(olga, { org: '1' }))
    expect(answer).toMatchObject({
      team: null,
      enterprise: { id: grid.enterpriseId },
      is_enterprise_install: true,
    })
    expect(await webOf(String(answer.access_token)).auth.test()).toMatchObject({
      enterprise_id: grid.enterpriseId,
      is_enterprise_install: true,
    })
    const { page } = await authorize({ ...good, as: ann.id, org: '1' })
    expect(page).toContain('team_not_on_enterprise')
  })
})
