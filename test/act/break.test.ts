// Attempts to break commenting and closing by line: texts, tokens, links, and what is said when something is missing.
import { describe, expect, it } from 'vitest'
import { alertUrl as linksWithoutKeys } from '../../playground/monitor/world.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { aliceToken, connects, openWorld, puts } from '../world.ts'
import { diskFull, withAlert } from './on-card.ts'

describe('a token in a comment', () => {
  it('is neither stored nor sent once it turns out to be the author’s', async () => {
    const world = await openWorld({ isAliceConnected: false })
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types(`/alert comment 5HkX "mine is ${aliceToken}"`, general)
    const prompt = await alice.sees('To do this, I need', general)
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
    await connects(alice, aliceToken, prompt)
    await alice.sees('looks like an API token', general)
    expect(puts(world)).toEqual([])
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
  })
})

describe('a change to an alert that a database failure interrupts', () => {
  it('is told in its form, which keeps what was written', async () => {
    const world = await openWorld({
      open: async (options) => {
        const storage = await openStorage(options)
        const insert = () => Promise.reject(new Error('the database is gone'))
        return { ...storage, requests: { ...storage.requests, insert } }
      },
    })
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await alice.presses('Comment', await alice.sees('Disk full', general))
    await alice.seesModal('Comment on alert')

    await alice.submits({ fields: { Comment: 'On it' } })

    expect(alice.modal?.plain).toContain('Reference')
    expect(alice.modal?.values).toEqual({ Comment: 'On it' })
  })
})

describe('a text on a line that can’t be read', () => {
  it.each([
    [
      'behind a link to elsewhere',
      'comment https://a.example.com/b "Old logs."',
      'doesn’t lead',
      '"Old logs."',
    ],
    [
      'for nobody',
      'assign 5HkX Dave "You know these disks."',
      'doesn’t know “Dave”',
      '"You know these disks."',
    ],
    [
      'behind a mistyped word',
      `coment 5HkX ${'disk '.repeat(200)}`,
      'Did you mean',
      `/alert comment 5HkX "${'disk '.repeat(199)}disk"`,
    ],
  ])('comes back to be copied: %s', async (_, line, why, text) => {
    const { world } = await withAlert()
    for (const channel of [world.general, world.alice.dm]) {
      if (channel === world.general) await world.alice.types(`/alert ${line}`, channel)
      else world.alice.says(line, channel)
      const told = await world.alice.sees(why, channel)
      expect(JSON.stringify(told.blocks)).toContain(
        `"rich_text_preformatted","elements":[{"type":"text","text":${JSON.stringify(text)}`,
      )
    }
    expect(puts(world)).toEqual([])
  })

  it('does not come back where it may hold a secret', async () => {
    const world = await openWorld()
    const line = `/alert coment 5HkX "${'disk '.repeat(200)} Zx9Zx9Zx9Zx9Zx9Zx9Zx9"`
    await world.alice.types(line, world.general)
    expect((await world.alice.sees('Did you mean', world.general)).plain).not.toContain('Zx9')
  })
})

describe('people whom a comment mentions', () => {
  it('are sent by name, from a mention and from a direct message', async () => {
    const { alice, bob, general, service } = await withAlert()
    const sent = () => service.alert('5HkX')?.actions.at(-1)?.data?.message
    await alice.writes(`@bellhop alert comment 5HkX "ask <@${bob.id}> about it"`, general, {
      raw: false,
    })
    await alice.sees('Commented', general)
    expect(sent()).toBe('ask @Bob Baker about it')
    await alice.writes(`alert comment 5HkX ask <@${bob.id}>`, alice.dm, { raw: true })
    await alice.sees('Commented', alice.dm)
    expect(sent()).toBe('ask @Bob Baker')
    await alice.types(`/alert comment 5HkX "or <@${bob.id}|>"`, general, { raw: true })
    await alice.sees('“or', general)
    expect(sent()).toBe('or @Bob Baker')
  })

  it('keep a form that asks for the alert no longer than Slack waits', async () => {
    const world = await openWorld({ slack: { ackMs: 3_000 } })
    const { alice, general, service, slack } = world
    const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
    service.addAlert(diskFull)
    await alice.usesShortcut('act.add-as-comment', alice.says('Look.', general))
    await alice.seesModal('Comment on alert')
    slack.trouble.slow('users.info', 3_500, { times: 1 })

    await alice.submits({ fields: { 'Alert key': '5HkX', Comment: `<@${dave.id}> knows` } })

    expect(alice.modal).toBeUndefined()
    await alice.sees('“@Dave Doe knows”', general)
  })
})

describe('a link without a key', () => {
  const env = { MONITOR_ALERT_URL: linksWithoutKeys }
  const opened = { ...diskFull, timestamp: 1_700_000_000 }

  it('waits sealed for an account, and goes on by itself', async () => {
    const world = await openWorld({ env, isAliceConnected: false })
    const { alice, general, service } = world
    service.addAlert(opened)
    await alice.types(`/alert comment ${service.linkOf('5HkX')} "it was the rotation"`, general)
    const prompt = await alice.sees('To do this, I need', general)
    expect(world.databaseBytes().includes('rotation')).toBe(false)
    await connects(alice, aliceToken, prompt)
    await alice.sees('Commented on alert “5HkX”: “it was the rotation”', general)
    expect(puts(world)).toHaveLength(1)
  })
})
