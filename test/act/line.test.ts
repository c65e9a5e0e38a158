import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { openWorld, puts, type World } from '../world.ts'
import { aliceCard, bobMay, diskFull, withAlert } from './on-card.ts'

function lastAction({ service }: World, ks = '5HkX') {
  return service.alert(ks)?.actions.at(-1)
}

/** The bot’s answer, for this person alone. */
async function answers(person: Person, { general }: World, words: string): Promise<string> {
  return (await person.sees(words, general)).plain
}

const lose =
  (when: 'after-effect' | 'before-answer') =>
  ({ trouble }: World['service']) =>
    trouble.cut({ when, times: 1, only: 'PUT' })

describe('/alert comment', () => {
  it('adds a comment, and says so once monitoring shows it', async () => {
    const { world, alice, general, service } = await withAlert()

    await alice.types('/alert comment 5HkX "Old logs, rotating them now."', general)

    expect(await answers(alice, world, 'Commented')).toBe(
      '✅ Commented on alert “5HkX”: “Old logs, rotating them now.”',
    )
    expect(lastAction(world)).toMatchObject({
      kind: 'Comment',
      data: { userId: 7, message: 'Old logs, rotating them now.' },
    })
    const asked = service.requests.filter(({ path }) => path.startsWith('/alert/5HkX'))
    expect(asked.map(({ method, token }) => [method, token])).toEqual([
      ['GET', 'alice'],
      ['PUT', 'alice'],
      ['GET', 'alice'],
    ])
  })

  it.each(['as a command', 'in a mention'])(
    'says groups, channels and emoji as people read them, %s',
    async (how) => {
      const { world, alice, general, ops, slack } = await withAlert()
      const text = `<!subteam^S0SRE> and <!subteam^S1|@ops>: <#${general.id}>, <#${ops.id}> :rocket::+1::skin-tone-3: :our-own: :constructor: 10:100:20`

      if (how === 'in a mention')
        alice.says(`<@${slack.bot.userId}> comment 5HkX ${text}`, general, { raw: true })
      else await alice.types(`/alert comment 5HkX ${text}`, general, { raw: true })

      await alice.sees('Commented', general)
      expect(lastAction(world)?.data?.message).toBe(
        'a group and @ops: #general, a channel 🚀👍🏼 :our-own: :constructor: 10:100:20',
      )
    },
  )

  it.each([
    ['without its alert', '/alert comment', 'Which alert?'],
    [
      'that is too long',
      `/alert comment 5HkX ${'x'.repeat(241)}`,
      '240 characters at most, and that’s 241',
    ],
  ])('%s is not sent', async (_, line, words) => {
    const { world } = await withAlert()
    await world.alice.types(line, world.general)
    await world.alice.sees(words, world.general)
    expect(puts(world)).toEqual([])
  })

  it.each(['typed', 'said in the alert’s thread'])(
    'without its text (%s) gets its form',
    async (how) => {
      const { world, alice, general } = await withAlert()
      if (how === 'typed') await alice.types('/alert comment 5HkX " \u200b "', general)
      else {
        const card = await aliceCard(world)
        alice.says('@Bellhop comment', card)
        await alice.presses('Comment', await alice.sees('What is the comment?', card))
      }
      const headline = how === 'typed' ? 'Alert “5HkX”' : 'Disk full'
      expect((await alice.seesModal('Comment on alert')).plain).toContain(headline)
      await alice.submits({ fields: { Comment: 'Looking' } })
      await expect.poll(() => puts(world)).toMatchObject([{ body: { message: 'Looking' } }])
    },
  )

  it('on a closed alert is not sent, and comes back', async () => {
    const world = await openWorld({ lateMs: 50 })
    world.service.addAlert(diskFull).close()
    await world.alice.types('/alert comment 5HkX "too late"', world.general)
    expect(await answers(world.alice, world, 'is closed')).toMatch(
      /Nothing was sent: alert “5HkX” is closed\.[\s\S]*too late/,
    )
    expect(puts(world)).toEqual([])
  })

  it('whose answer is lost, and whose alert its author may not read, is not promised to be looked for', async () => {
    const { world, bob, general, service } = await withAlert()
    await bobMay(world, ['API', 'ALERT_CHANGE'])
    service.trouble.cut({ when: 'after-effect', times: 1, only: 'PUT' })

    await bob.types('/alert comment 5HkX "blind"', general)

    expect(await answers(bob, world, 'Not certain')).toContain(
      'Check monitoring before you try again',
    )
  })

  it.each<[string, (service: World['service']) => unknown, string, number]>([
    ['whose answer is lost is found by looking', lose('after-effect'), 'Commented', 1],
    [
      'that shows late is found by looking again',
      (to) => to.behaves({ visible: { reads: 2 } }),
      'Commented',
      1,
    ],
    [
      'that was lost on its way is not certain, and never sent again',
      lose('before-answer'),
      'Not certain',
      1,
    ],
    [
      'on what can’t be read is not sent',
      (to) => to.trouble.answer(503, { only: 'GET' }),
      'Not done',
      0,
    ],
  ])('%s', async (_, happens, words, sent) => {
    const { world } = await withAlert()
    happens(world.service)
    await world.alice.types('/alert comment 5HkX "cut"', world.general)
    await answers(world.alice, world, words)
    await world.slack.idle()
    expect(puts(world)).toHaveLength(sent)
  })
})

describe('/alert close', () => {
  it.each<[string, Parameters<World['service']['behaves']>[0], string]>([
    ['closes the alert with what it was', {}, '✅ Closed: alert “5HkX”.'],
    [
      'says so when monitoring opens it again at once',
      { reopens: { key: 'same', when: 'at-once' } },
      'monitoring has opened it again',
    ],
  ])('%s', async (_, ways, words) => {
    const { world, alice, general, service } = await withAlert()
    service.behaves(ways)
    await alice.types('/alert close 5HkX "Old logs removed."', general)
    expect(await answers(alice, world, 'Closed')).toContain(words)
    expect(puts(world)).toMatchObject([{ body: { message: 'Old logs removed.' } }])
  })
})

describe('a service of which Bellhop uses the two basic operations', () => {
  it('is never asked to change an alert', async () => {
    const world = await openWorld({
      lateMs: 50,
      env: { MONITOR_OPERATIONS: 'basic', MONITOR_ALERT_URL: 'https://m.example.com/alert/{ks}' },
    })
    world.service.addAlert(diskFull)
    await world.alice.types('/alert close 5HkX "x"', world.general)
    await world.alice.sees('I only read alerts here', world.general)
    await world.alice.types('/alert help', world.general)
    const help = await world.alice.sees('shows an alert here', world.general)
    expect(help.plain).not.toMatch(/comment|Change an alert/)
    expect(puts(world)).toEqual([])
  })
})
