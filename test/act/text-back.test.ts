// Texts that somebody wrote, and that could not be sent: they come back, as nobody types them twice.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import { onCall } from './on-card.ts'

type Service = World['service']

const noAlert =
  'https://monitoring.example.com/container/12/asset/99/alert?condition=1&item=x&alert=1700000000'
const words = 'Old logs, rotating them now.'

/** In one answer, that only they see. */
async function getsBack(person: Person, { general, service }: World, why: string): Promise<void> {
  const answer = await person.sees(words, general)
  expect(answer.isEphemeral).toBe(true)
  expect(answer.plain).toContain(why)
  expect(person.messages(general).filter(({ plain }) => plain.includes(why))).toHaveLength(1)
  expect(service.requests.filter(({ method }) => method === 'PUT')).toEqual([])
}

describe('a text that could not be sent comes back', () => {
  const basic = { MONITOR_OPERATIONS: 'basic' }
  it.each([
    [
      'no alert matches the link of a comment',
      `comment ${noAlert}`,
      {},
      'No open alert matches that link',
    ],
    [
      'no alert matches the link of an assignment',
      `assign ${noAlert} me`,
      {},
      'No open alert matches that',
    ],
    ['nobody can tell who is meant', 'assign 5HkX @bob', {}, 'I can’t tell who “Bob Baker” is'],
    ['Bellhop only reads', 'assign 5HkX me', basic, 'I only read alerts here'],
  ])('where %s', async (_where, line, env, why) => {
    const world = await onCall({ env })
    await world.alice.types(`/alert ${line} "${words}"`, world.general)
    await getsBack(world.alice, world, why)
  })

  it.each([
    ['no answer', ({ trouble }: Service) => trouble.answer(503), 'Nothing was changed.'],
    [
      'one that nobody understands',
      ({ trouble }: Service) => trouble.malformed('not-json'),
      '(Reference ',
    ],
  ])('where monitoring gives %s about the link', async (_what, fails, why) => {
    const { world, alice, general, service } = await onCall()
    fails(service)
    await alice.types(`/alert comment ${service.linkOf('5HkX')} "${words}"`, general)
    await getsBack(alice, world, why)
  })

  it('in the form Add as comment, which stays, where no alert matches its link', async () => {
    const { alice, general } = await onCall()
    await alice.usesShortcut('act.add-as-comment', alice.says('What now?', general))
    await alice.seesModal('Comment on alert')

    await alice.submits({ fields: { 'Alert key': noAlert, Comment: words } })

    const { plain = '', values } = alice.modal ?? {}
    expect(plain).toContain('No open alert matches that link')
    expect(plain.split(words)).toHaveLength(2)
    expect(values).toEqual({ 'Alert key': noAlert, Comment: words })
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
