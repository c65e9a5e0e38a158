// The token page as a browser gets it, and as somebody who is no browser tries it.
import { describe, expect, it } from 'vitest'
import { connectedPage, formPage } from '../../src/web/render-connect.ts'
import { linkIn, openPublicWorld, opensLink } from '../account/on-token-page.ts'
import { bobToken, type WorldOptions } from '../world.ts'

/** Bob has typed `/alert connect` and opened the link. */
async function openForm(options: WorldOptions = {}) {
  const world = await openPublicWorld(options)
  const { bob, service } = world
  await bob.types('/alert connect', bob.dm)
  const link = await linkIn(world, bob, await bob.seesModal('Connect account'))
  const page = await opensLink(link)
  const before = service.requests.length
  /** How many tokens were tried at the service. */
  const tried = () => service.requests.length - before
  return { world, link, page, tried }
}

const guards = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  ),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-type': 'text/html; charset=utf-8',
}

describe('every answer', () => {
  it('is guarded by its headers, whatever it says', async () => {
    const { world, link, page } = await openForm()
    const answers = [
      page,
      await opensLink(link, { method: 'HEAD' }),
      await page.sends('wrong'),
      await page.sends('x'.repeat(20_000)),
      await page.sends(bobToken),
      await opensLink(link),
      await opensLink(`${world.url}/connect/none`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 413, 200, 404, 404])
    for (const { headers } of answers) expect(Object.fromEntries(headers)).toMatchObject(guards)
    // Where nothing is left to fill in, no connection is left either.
    const refused = answers.filter(({ status, hasForm }) => status >= 400 && !hasForm)
    expect(refused.map(({ headers }) => headers.get('connection'))).toEqual(Array(3).fill('close'))
  })
})

describe('a form', () => {
  it('has a masked field and one button, and no script', async () => {
    const { page } = await openForm()
    expect(page.html.match(/<input[^>]*>/g)).toEqual([
      expect.stringMatching(/type="password".*autocomplete="off"/),
    ])
    expect(page.html).toContain('<label for="token">API token</label>')
    expect(page.html.match(/<button[^>]*>[^<]*/g)).toEqual([
      '<button type="submit">Connect account',
    ])
    expect(page.html).not.toMatch(/<script|\son\w+=/)
    // Nothing is fetched from elsewhere; one link leads there.
    expect(page.html.match(/\S*https?:\/\/[^<]*/g)).toEqual([
      'href="https://monitor.example.com" target="_blank" rel="noreferrer">Open monitoring',
    ])
  })

  it('is not taken when it is too large, said or not said beforehand', async () => {
    const { world, link, page, tried } = await openForm()
    expect(await page.sends('x'.repeat(11_000))).toMatchObject({ status: 413 })
    const pieces = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(5_000))),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const endless = { method: 'POST', headers, body: pieces, duplex: 'half' } as const
    await expect(
      opensLink(link, endless).then(
        ({ status }) => status,
        () => 'cut off',
      ),
    ).resolves.toSatisfy((answer) => answer === 413 || answer === 'cut off')
    expect(tried()).toBe(0)
    expect((await opensLink(link)).status).toBe(200)
    expect(world.log.join()).not.toContain('token page failed')
  })
})

describe('the page after connecting', () => {
  const alice = {
    workspaceId: 'T1',
    handle: 'alice',
    workspace: 'Acme',
    waits: 'nothing-waits',
    trial: 'accepted',
  } as const
  const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

  it('leads back to the workspace in Slack’s app', () => {
    expect(hrefs(connectedPage(alice))).toEqual(['slack://open?team=T1'])
  })

  it('opens Slack where it was, in an organisation', () => {
    expect(hrefs(connectedPage({ ...alice, workspaceId: 'E1', workspace: undefined }))).toEqual([
      'slack://open',
    ])
  })

  it('says what the token lacks', () => {
    expect(connectedPage({ ...alice, trial: 'forbidden' })).toContain('lacks permission (403)')
  })
})

it('what comes from outside is text, whatever it holds', () => {
  const markup = '"><img src=x onerror=alert(1)>&\u202e'
  const whom = { email: `${markup}@example.com`, handle: markup, workspace: markup }
  const html = formPage(whom, markup)
  expect(html).not.toContain('<img')
  const connected = connectedPage({
    ...whom,
    workspaceId: `T${markup}`,
    waits: 'nothing-waits',
    trial: 'accepted',
  })
  expect(connected).not.toContain('<img')
  expect(connected).toContain('href="slack://open"')
})
