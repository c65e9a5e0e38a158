// Installing the bot: an admin goes to Slack and comes back, and everything that can go wrong on the way.
import { describe, expect, it } from 'vitest'
import { openInstalls } from './world.ts'

const minuteMs = 60_000

describe('somebody who installs the bot', () => {
  it('goes to Slack, allows it, and comes back to a page that says so', async () => {
    const { install, acme, storage, publicUrl } = await openInstalls()
    const { slack, admin } = acme

    const page = await install(admin)

    expect(page.status).toBe(200)
    expect(page.text).toContain('Bellhop is in Acme.')
    expect(page.link('Go to Slack')).toBe('https://acme.slack.com/')
    expect(page.url.href.startsWith(`${publicUrl}/slack/oauth_redirect`)).toBe(true)
    expect(await storage.installations.find(slack.teamId)).toMatchObject({
      installation: {
        teamId: slack.teamId,
        teamName: 'Acme',
        isOrgWide: false,
        botUserId: slack.bot.userId,
        botId: slack.bot.botId,
        url: 'https://acme.slack.com/',
        scopes: new Set(slack.workspace.options.botScopes),
      },
      installerId: admin.id,
    })
  })

  it('may leave out optional scopes, and what was granted is remembered', async () => {
    const { install, acme, storage } = await openInstalls()
    await install(acme.admin, { without: ['channels:history'] })
    const kept = await storage.installations.find(acme.workspaceId)
    expect(kept?.installation.scopes?.has('channels:history')).toBe(false)
    expect(kept?.installation.scopes?.has('groups:history')).toBe(true)
    expect(kept?.installation.scopes?.has('channels:read')).toBe(true)
  })

  it('does it for a whole organisation, and for one workspace of it', async () => {
    const { install, initech, storage } = await openInstalls()
    const { slack, admin } = initech
    const page = await install(admin, { isOrgWide: true })
    expect(page.text).toContain('Bellhop is in the organisation Initech.')
    expect(await storage.installations.find(slack.enterpriseId ?? '')).toMatchObject({
      installation: { isOrgWide: true, enterpriseId: slack.enterpriseId },
    })
    expect(await storage.installations.find(slack.teamId)).toBeUndefined()

    await install(admin)
    expect(await storage.installations.find(slack.teamId)).toMatchObject({
      installation: { isOrgWide: false, enterpriseId: slack.enterpriseId, teamId: slack.teamId },
    })
  })

  it('is written into the audit trail, and their token nowhere in the open', async () => {
    const { install, acme, storage, databaseBytes } = await openInstalls()
    await install(acme.admin)
    const records = await storage.auditRecords.page({ after: 0, since: 0, most: 10 })
    expect(records.map(({ workspaceId, body }) => [workspaceId, JSON.parse(body)])).toEqual([
      [acme.workspaceId, { userId: acme.admin.id, act: 'install', outcome: 'done' }],
    ])
    const { token } = (await storage.installations.find(acme.workspaceId)) ?? {}
    expect(token).toMatch(/^k1\./)
    expect(databaseBytes().includes(acme.slack.botToken)).toBe(false)
  })

  it('may do it again: the newer token takes the place of the older', async () => {
    const { front, install, acme, storage } = await openInstalls()
    await install(acme.admin)
    const channels = { audit: acme.general.id, approval: undefined }
    await storage.installations.choose(acme.workspaceId, channels, ['S0ONCALL1'])
    const before = await storage.installations.find(acme.workspaceId)
    acme.slack.workspace.uninstall()

    await install(acme.member)

    const after = await storage.installations.find(acme.workspaceId)
    expect(after).toMatchObject({ installerId: acme.member.id, channels, mention: ['S0ONCALL1'] })
    expect(after?.token).not.toBe(before?.token)
    expect(front.workspaces.filter(({ botToken }) => botToken !== '')).toHaveLength(1)
  })

  it('reads pages that no other page can show, that are kept nowhere, and hold no script', async () => {
    const { browser, publicUrl } = await openInstalls()
    for (const path of ['/slack/install', '/slack/oauth_redirect?code=x&state=y']) {
      const { headers, html } = await browser().visit(publicUrl + path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(html).not.toContain('<script')
    }
  })
})

describe('an install that goes wrong', () => {
  it('is told to whoever cancelled it', async () => {
    const { install, acme, storage } = await openInstalls()
    const page = await install(acme.admin, { answer: 'cancel' })
    expect(page.text).toContain('You cancelled in Slack, so nothing has changed.')
    expect(await storage.installations.count()).toBe(0)
    expect(page.link('Start again')).toContain('/slack/install')
  })

  it('because the page was opened twice says so, and installs once', async () => {
    const { install, acme, storage, browser, front } = await openInstalls()
    const own = browser()
    const first = await install(acme.admin, { browser: own })
    const kept = await storage.installations.find(acme.workspaceId)

    const again = await own.visit(first.url.href)

    expect(again.text).toContain('This page was opened before, so Bellhop may already be in your Slack.')
    // It is: the page from before says nothing else.
    expect(again.text).not.toContain('Not installed')
    expect(await storage.installations.find(acme.workspaceId)).toEqual(kept)
    expect(front.accessCalls).toBe(1)
  })

  it('because it took too long says so', async () => {
    const { acme, storage, browser, clock, publicUrl, front } = await openInstalls()
    const own = browser()
    const begin = await own.visit(`${publicUrl}/slack/install`)
    clock.advance(9 * minuteMs)
    // The browser has come by meanwhile, so that its cookie is younger than this state.
    await own.visit(`${publicUrl}/slack/install`)
    clock.advance(minuteMs)
    const page = await own.visit(`${begin.link('Add to Slack')}&as=${acme.admin.id}`)
    expect(page.text).toContain('It took longer than ten minutes. Start again.')
    expect(front.accessCalls).toBe(0)
    expect(await storage.installations.count()).toBe(0)
  })

  it('because it was begun in another browser uses nothing up there', async () => {
    const { acme, browser, publicUrl, front } = await openInstalls()
    const [mine, theirs] = [browser(), browser()]
    const begin = await mine.visit(`${publicUrl}/slack/install`)
    const allowed = await fetch(`${begin.link('Add to Slack')}&as=${acme.admin.id}`, { redirect: 'manual' })
    const back = allowed.headers.get('location') ?? ''

    await theirs.visit(`${publicUrl}/slack/install`)
    for (const one of [theirs, browser()]) {
      expect((await one.visit(back)).text).toContain('You didn’t start in this browser')
    }
    expect(front.accessCalls).toBe(0)
    expect((await mine.visit(back, 'HEAD')).html).toBe('')
    expect((await mine.visit(back)).text).toContain('Bellhop is in Acme.')
  })

  it('because what the browser keeps was not signed by Bellhop', async () => {
    const { browser, publicUrl, url } = await openInstalls()
    const own = browser()
    const begin = await own.visit(`${publicUrl}/slack/install`)
    const state = new URL(begin.link('Add to Slack')).searchParams.get('state')
    const [name] = own.cookies[0]?.split('.') ?? []
    const forged = { headers: { cookie: `bellhop_install=${name}.${'A'.repeat(43)}` } }
    const page = await fetch(`${url}/slack/oauth_redirect?code=c&state=${state}`, forged)
    expect(await page.text()).toContain('You didn’t start in this browser')
  })

  it('in one of two tabs leaves the other alone', async () => {
    const { acme, globex, browser, publicUrl } = await openInstalls()
    const own = browser()
    const tabs = [
      await own.visit(`${publicUrl}/slack/install`),
      await own.visit(`${publicUrl}/slack/install`),
    ]
    const [one, other] = tabs.map((tab) => tab.link('Add to Slack'))
    expect((await own.visit(`${other}&as=${globex.admin.id}`)).text).toContain('Bellhop is in Globex.')
    expect((await own.visit(`${one}&as=${acme.admin.id}`)).text).toContain('Bellhop is in Acme.')
  })

  it.each([
    ['was made up', 'code=made-up', 'Slack didn’t let Bellhop in (invalid_code).'],
    ['is missing', '', 'Slack didn’t let Bellhop in (no code).'],
    ['is missing for a reason of Slack’s', 'error=invalid_scope', 'in (invalid_scope).'],
    ['is missing for a reason of nobody’s', 'error=<b>evil</b>', 'in (no code).'],
  ])('because its code %s', async (_, query, words) => {
    const { browser, publicUrl, storage } = await openInstalls()
    const own = browser()
    const begin = await own.visit(`${publicUrl}/slack/install`)
    const state = new URL(begin.link('Add to Slack')).searchParams.get('state')
    const page = await own.visit(`${publicUrl}/slack/oauth_redirect?state=${state}&${query}`)
    expect(page.status).toBe(502)
    expect(page.text).toContain(words)
    expect(page.html).not.toContain('<b>')
    expect(await storage.installations.count()).toBe(0)
  })

  it('because Slack does not answer says so, and can be tried again', async () => {
    const { install, acme, front } = await openInstalls()
    front.breaksAccess = true
    expect((await install(acme.admin)).text).toContain('Slack didn’t answer. Start again in a minute.')
    front.breaksAccess = false
    expect((await install(acme.admin)).text).toContain('Bellhop is in Acme.')
  })

  it('because its token would be good for hours only', async () => {
    const { install, acme, front, storage } = await openInstalls()
    front.rotatesTokens = true
    expect((await install(acme.admin)).text).toContain('(token_rotation_is_on)')
    expect(await storage.installations.count()).toBe(0)
  })

  it('too often within a minute is asked to wait', async () => {
    const { browser, publicUrl, clock } = await openInstalls()
    const own = browser()
    for (let times = 0; times < 30; times += 1) {
      expect((await own.visit(`${publicUrl}/slack/install`)).status).toBe(200)
    }
    expect((await own.visit(`${publicUrl}/slack/install`)).status).toBe(429)
    clock.advance(minuteMs)
    expect((await own.visit(`${publicUrl}/slack/install`)).status).toBe(200)
  })
})

describe('a bot with one token', () => {
  it('has no such pages', async () => {
    const { openWorld } = await import('../world.ts')
    const { url } = await openWorld({ env: { PUBLIC_URL: 'https://bellhop.example.com' } })
    for (const path of ['/slack/install', '/slack/oauth_redirect']) {
      expect((await fetch(url + path)).status).toBe(404)
    }
  })
})
