// Texts that somebody wrote, and that could not be sent: they come back, as nobody types them twice.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { aliceToken, openWorld, placeUrl, type World } from '../world.ts'

const linked = { env: { MONITOR_ALERT_URL: placeUrl } } as const
const noAlert =
  'https://monitoring.example.com/container/12/asset/99/alert?condition=1&item=x&alert=1700000000'
const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12, assetId: 34 } as const
const words = 'Old logs, rotating them now.'

async function onCall(): Promise<World> {
  const world = await openWorld(linked)
  world.service.addAlert(diskFull)
  return world
}

/** In one answer, that only they see. */
async function getsBack(person: Person, { general, service }: World, why: string): Promise<void> {
  const answer = await person.sees(words, general)
  expect(answer.isEphemeral).toBe(true)
  expect(answer.plain).toContain(why)
  expect(person.messages(general).filter(({ plain }) => plain.includes(why))).toHaveLength(1)
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([])
}

describe('a text that could not be sent comes back', () => {
  it.each(['comment', 'close', 'assign'])('where no alert matches the link of /alert %s', async (act) => {
    const world = await onCall()
    const { alice, general } = world
    const line = act === 'assign' ? `${noAlert} me "${words}"` : `${noAlert} "${words}"`

    await alice.types(`/alert ${act} ${line}`, general)

    await getsBack(alice, world, 'No open alert matches that link')
  })

  it('where monitoring gives no answer about the link', async () => {
    const world = await onCall()
    const { alice, general, service } = world
    service.trouble.answer(503)

    await alice.types(`/alert comment ${service.linkOf('5HkX')} "${words}"`, general)

    await getsBack(alice, world, 'Monitoring is busy or has a fault. Nothing was changed.')
  })

  it('where monitoring answers about the link in a way that nobody understands, with its reference', async () => {
    const world = await onCall()
    const { alice, general, service } = world
    service.trouble.malformed('not-json')

    await alice.types(`/alert comment ${service.linkOf('5HkX')} "${words}"`, general)

    await getsBack(alice, world, '(Reference ')
    expect(world.log.join()).toContain('the service answered outside its contract')
  })

  it('where nobody can tell who in monitoring is meant', async () => {
    const world = await onCall()
    const { alice, general } = world

    await alice.types(`/alert assign 5HkX @bob "${words}"`, general)

    await getsBack(alice, world, 'I can’t tell who “Bob Baker” is in monitoring.')
  })

  it('of the form Add as comment, which is closed by the time its link is looked for', async () => {
    const world = await onCall()
    const { alice, general } = world
    await alice.usesShortcut('act.add-as-comment', alice.says('What now?', general))
    await alice.seesModal('Comment on alert')

    await alice.submits({ fields: { 'Alert key': noAlert, Comment: words } })

    await getsBack(alice, world, 'No open alert matches that link')
  })

  it.each(['comment 5HkX', 'assign 5HkX me'])('of /alert %s where Bellhop only reads', async (line) => {
    const world = await openWorld({ env: { MONITOR_OPERATIONS: 'basic' } })
    const { alice, general } = world

    await alice.types(`/alert ${line} "${words}"`, general)

    await getsBack(alice, world, 'I only read alerts here')
  })
})

describe('a text that holds its author’s own token', () => {
  it('is not repeated', async () => {
    const world = await openWorld({ env: { MONITOR_OPERATIONS: 'basic' } })
    const { alice, general } = world

    await alice.types(`/alert comment 5HkX "It is ${aliceToken}."`, general)

    const answer = await alice.sees('I only read alerts here', general)
    expect(JSON.stringify(answer.blocks)).not.toContain(aliceToken)
  })
})
