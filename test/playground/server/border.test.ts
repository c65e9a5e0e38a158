// The page's server at its border: who may talk to it, which files it gives away, what it does not understand.
import { describe, expect, it } from 'vitest'
import { pageWorld } from '../page-server-world.ts'

const world = pageWorld()
const typing = { as: 'alice', act: { do: 'open-home' } }

const doors = [
  ['the page', 'GET', '/'],
  ['its live events', 'GET', '/live?as=alice'],
  ['what people do on it', 'POST', '/act'],
  ['its files', 'GET', '/page.js'],
] as const

describe.each(doors)('%s', (_, method, path) => {
  const knock = (headers: Readonly<Record<string, string>>) =>
    world.ask(path, { method, headers, ...(method === 'POST' ? { body: typing } : {}) })

  it.each(['evil.example', '192.168.1.7:4567'])(
    'is not for a page that was reached as %s',
    async (host) => {
      expect(await knock({ host })).toMatchObject({
        status: 403,
        body: 'This page is for this machine alone.',
      })
    },
  )

  it.each(['https://evil.example', 'null'])('is not for scripts from %s', async (origin) => {
    expect(await knock({ origin })).toMatchObject({ status: 403, body: 'Not from there.' })
  })
})

describe('files', () => {
  it('of the page are few: its scripts come as one, and so do its style sheets', async () => {
    const { body } = await world.ask('/')
    const [script, styles] = [await world.ask('/page.js'), await world.ask('/page.css')]

    expect(String(body).match(/(?:href|src)="[^"]+"/g)).toEqual([
      'href="/icon.svg"',
      'href="/page.css"',
      'src="/page.js"',
    ])
    expect(script).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    })
    expect(script.body).toContain('function MessageBox(')
    expect(script.body).not.toMatch(/^import /m)
    expect(styles).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8' },
    })
    expect(styles.body).toContain('.s-hint')
    expect(styles.body).not.toContain('@import')
  })

  it('never hold what people see: that is not kept by the browser', async () => {
    const { headers } = await world.ask('/act', { method: 'POST', body: typing })

    expect(headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['of the server', '/server/server.ts'],
    ['above the page', '/../package.json'],
    ['above the page, encoded', '/fonts/%2e%2e/server/server.ts'],
    ['above the page, with backslashes', '/fonts/..\\..\\..\\package.json'],
    ['of the machine', '//etc/passwd'],
    ['that do not exist', '/nothing.js'],
    ['of every object', '/constructor'],
  ])('%s are not served', async (_, path) => {
    const { status, body } = await world.ask(path)

    expect([400, 404]).toContain(status)
    expect(['', '404 Not Found']).toContain(body)
  })

  it('may load nothing from elsewhere, and be framed by nobody', async () => {
    const { headers, body } = await world.ask('/')

    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(body).not.toMatch(/https?:|style=/)
  })
})

describe('the server', () => {
  it('is not there at any other address of this machine', async () => {
    const { port } = new URL(world.playground.url)

    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow('fetch failed')
  })
})

describe('what the page cannot mean', () => {
  it.each([
    ['nothing', null],
    ['an act that there is not', { as: 'alice', act: { do: 'dance' } }],
    ['an act without what it needs', { as: 'alice', act: { do: 'say', channelId: 'C1' } }],
    ['a text that is none', { as: 'alice', act: { do: 'say', channelId: 'C1', text: { a: 1 } } }],
  ])('%s is refused', async (_, body) => {
    expect(await world.ask('/act', { method: 'POST', body })).toMatchObject({ status: 400 })
  })

  it('is done by nobody whom it does not know', async () => {
    const asked = await world.ask('/act', { method: 'POST', body: { ...typing, as: 'mallory' } })

    expect(asked).toMatchObject({ status: 404 })
    expect(await world.ask('/live?as=mallory')).toMatchObject({ status: 404 })
    expect(await world.ask('/live')).toMatchObject({ status: 404 })
  })

  it('is said in a sentence when it is out of sight', async () => {
    const { slack } = world.playground
    const bobs = slack.person('bob').dm.id

    expect(await world.act('alice', { do: 'say', channelId: bobs, text: 'hi' })).toBe(
      'alice sees no such channel.',
    )
    expect(await world.act('alice', { do: 'submit', viewId: 'V1' })).toBe(
      'This form is no longer on top.',
    )
    expect(await world.act('alice', { do: 'trouble', id: 'rain', isOn: true })).toBe(
      'There is no such trouble in the menu.',
    )
  })
})
