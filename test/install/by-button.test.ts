// Slack's own button installs the app and gives Bellhop no token: people are told what to do, in Slack and in the browser.
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { send as sendSigned } from '../signed-request.ts'
import { openWorld } from '../world.ts'
import { send } from './forging.ts'
import { openInstalls, type Tenant } from './world.ts'

const notYet = 'Bellhop isn’t set up in this workspace yet.'

/** Acme is installed from Slack's own pages; Globex as it should be. */
async function openByButton(options: Parameters<typeof openInstalls>[0] = {}) {
  const world = await openInstalls(options)
  const { acme, globex, front } = world
  const back = front.installByButton(acme.slack, acme.admin.id)
  await world.install(globex.admin)
  return { ...world, back }
}

const methodsOf = ({ slack }: Tenant) => slack.calls.map(({ method }) => method)

describe('a workspace that was installed by Slack’s own button', () => {
  it.each(['http', 'socket'] as const)(
    'says who can finish it, and where, to whoever types a command: %s',
    async (transport) => {
      const { acme, globex, front, service } = await openByButton({ transport })
      await acme.member.types('/alert 5HkX', acme.general)

      const told = await acme.member.sees(notYet, acme.general)
      expect(told.isEphemeral).toBe(true)
      expect(told.message.text).toContain(
        '<https://bellhop.example.com/bot/slack/install|Add Bellhop to Slack>',
      )
      await front.idle()
      // It comes in the ack.
      expect(methodsOf(acme)).toEqual([])
      expect(methodsOf(globex)).not.toContain('response_url')
      expect(service.requests).toEqual([])
    },
  )

  it('says so for a message’s shortcut, and for a button that was left from before', async () => {
    const { acme, front, service, ...world } = await openByButton()
    await world.install(acme.admin)
    await world.connect(acme.admin, acme, 'anns-token-12ab')
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await acme.admin.types('/alert 5HkX', acme.general)
    const card = await acme.admin.sees('Disk full', acme.general)
    await front.idle()
    await front.uninstall(acme.slack)
    await expect
      .poll(() => world.storage.installations.find(acme.workspaceId), { timeout: 30_000 })
      .toBeUndefined()

    await acme.member.presses('Refresh', card)
    await acme.member.sees(notYet, acme.general)
    await acme.admin.usesShortcut('alert.look-up-in-message', acme.member.says('5HkX?', acme.general))
    await acme.admin.sees(notYet, acme.general)
  })

  it('says so in a form that was open when the bot was taken out', async () => {
    const { acme, front, ...world } = await openByButton()
    await world.install(acme.admin)
    await acme.admin.usesShortcut('grant.form')
    await acme.admin.seesModal('Grant access')
    await front.uninstall(acme.slack)
    await expect
      .poll(() => world.storage.installations.find(acme.workspaceId), { timeout: 30_000 })
      .toBeUndefined()

    await acme.admin.submits({ fields: { Container: '12', Email: 'dave@acme.example', Role: 'Viewer' } })

    const said = Object.values((await acme.admin.seesModal('Grant access')).errors).join(' ')
    expect(said).toContain(`${notYet} Anyone who may install apps can finish that at https://`)
  })

  it('stays silent where there is no way to answer, and posts nothing', async () => {
    const { acme, front } = await openByButton()
    await acme.member.usesShortcut('grant.form')
    await acme.member.writes('@bellhop alert 5HkX', acme.general)
    await acme.member.opensHome()
    await front.idle()
    expect(methodsOf(acme)).toEqual([])
  })

  it('tells somebody who asks and asks no more often than it would answer them', async () => {
    const { acme, front } = await openByButton({ env: { RATE_PER_MINUTE: '2' } })
    for (let times = 0; times < 5; times += 1) await acme.member.types('/alert 5HkX', acme.general)
    await front.idle()
    const told = acme.member.messages(acme.general).filter(({ plain }) => plain.includes(notYet))
    expect(told).toHaveLength(2)
  })

  it('never answers at an address that is not Slack’s', async () => {
    const world = await openByButton()
    const { acme, front, log } = world
    let visits = 0
    const elsewhere = createServer((_, response) => {
      visits += 1
      response.end('ok')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void elsewhere.close())
    const { port } = z.object({ port: z.number() }).parse(elsewhere.address())
    const { payload } = await acme.member.types('/alert watches', acme.general)
    const odd = {
      ...payload,
      trigger_id: '1.2.odd',
      response_url: `http://127.0.0.1:${port}/commands/T1/1/x`,
    }

    expect(await send(world, 'slash_commands', odd)).toBe(200)

    await expect.poll(() => log.join('\n'), { timeout: 30_000 }).toContain('could not tell somebody')
    await front.idle()
    expect(visits).toBe(0)
    expect(methodsOf(acme)).toEqual(['response_url'])
  })

  it('works once somebody has added it on Bellhop’s own page', async () => {
    const { acme, service, ...world } = await openByButton()
    await world.install(acme.admin)
    await world.connect(acme.member, acme, 'amys-token-12ab')
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await acme.member.types('/alert 5HkX', acme.general)
    await acme.member.sees('Disk full', acme.general)
  })
})

describe('a browser that comes back from Slack’s own button', () => {
  it('lands on a page that says what is left to do, with the link to it', async () => {
    const { acme, browser, back, front, storage, publicUrl } = await openByButton()
    expect(back.searchParams.get('state')).toBe('')
    const page = await browser().visit(back.href)
    expect(page.status).toBe(200)
    expect(page.text).toContain('One more step')
    expect(page.text).toContain('Slack added Bellhop, but hasn’t given it access yet.')
    expect(page.link('Add to Slack')).toBe(`${publicUrl}/slack/install`)
    // Nobody here has asked for it, so the code is not used: it may be of anybody's workspace.
    expect(await storage.installations.find(acme.workspaceId)).toBeUndefined()
    expect(front.accessCalls).toBe(1)
  })

  it('lands on the same page when Slack sends no state at all', async () => {
    const { browser, back } = await openByButton()
    back.searchParams.delete('state')
    expect((await browser().visit(back.href)).text).toContain('One more step')
  })

  it('is told that nothing has changed when they cancelled it there', async () => {
    const { browser, publicUrl } = await openByButton()
    const page = await browser().visit(`${publicUrl}/slack/oauth_redirect?error=access_denied`)
    expect(page.text).toContain('You cancelled in Slack, so nothing has changed.')
  })
})

describe('a bot of one workspace', () => {
  it('says to people of another that it works elsewhere, and names no address', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    const { payload } = await alice.types('/alert watches', general)
    await slack.idle()
    const fields = { ...payload, team_id: 'T0ELSEWHERE', user_id: 'U0ELSEWHERE' }
    const body = Object.entries(fields).map(([name, one]): [string, string] => [name, String(one)])
    await sendSigned(world, { body: new URLSearchParams(body).toString() })
    await slack.idle()
    const [, answer] = slack.calls.filter(({ method }) => method === 'response_url')
    expect(answer?.args).toMatchObject({ response_type: 'ephemeral' })
    expect(String(answer?.args.text)).toContain('This Bellhop works for another workspace')
    expect(String(answer?.args.text)).not.toContain('http')
  })
})
