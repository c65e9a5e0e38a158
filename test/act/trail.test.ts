// Records of acts on alerts in the audit trail: how each stood before and after, what became of it, and no word of it.
import { describe, expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { openWorld, puts, type World } from '../world.ts'
import { diskFull, withAlert } from './on-card.ts'

const open = { ownerId: null, isClosed: false }
const closed = { ownerId: null, isClosed: true }

async function actsIn(world: World) {
  const acts = ['assign', 'comment', 'close']
  return (await trailOf(world)).filter(({ act }) => acts.includes(act))
}

describe('the audit trail', () => {
  it('holds how an alert stood before it was closed and after, and nothing of what was said', async () => {
    const { world, alice, general } = await withAlert()

    await alice.types('/alert comment 5HkX "Rotating old logs."', general)
    await alice.sees('Commented', general)
    await alice.types('/alert close 5HkX "Old logs removed."', general)
    await alice.sees('Closed', general)

    const trail = await actsIn(world)
    const about = { userId: alice.id, ks: '5HkX', outcome: 'done' }
    expect(trail).toMatchObject([
      { ...about, act: 'comment', before: open, after: open },
      { ...about, act: 'close', before: open, after: closed },
    ])
    expect(JSON.stringify(trail)).not.toContain('logs')
  })

  it('holds only how it stood where it was closed already: nothing was sent, and the text comes back', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { alice, general, service } = world
    service.addAlert(diskFull).close('AutoClose')

    await alice.types('/alert close 5HkX "mine"', general)
    expect((await alice.sees('already closed', general)).plain).toContain('mine')
    expect(puts(world)).toEqual([])

    const [line] = await actsIn(world)
    expect(line).toMatchObject({ outcome: 'not-done:already', before: closed })
    expect(line?.after).toBeUndefined()
  })
})
