// Names that are kept, and how often Slack is asked for them.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPersonOf } from '../../src/slack/guard/who.ts'

/** Slack answers, in each workspace, with a name of that workspace. */
function openPersonOf() {
  const asked: string[] = []
  const personOf = createPersonOf({
    people: {
      in: (workspaceId) => ({
        async writerOf() {
          asked.push(workspaceId)
          return { name: `Dave of ${workspaceId}`, handle: 'dave', isBot: false, isStranger: false }
        },
      }),
    },
    scopes: { in: () => ({ granted: async () => new Set(['users:read']) }) },
    now: Date.now,
    wait: (ms) => delay(ms, undefined, { ref: false }),
  })
  const nameIn = async (teamId: string) => {
    const installation = {
      ...{ teamId, teamName: undefined, enterpriseId: undefined, isOrgWide: false },
      ...{ botUserId: 'U0', botId: undefined, url: undefined, scopes: undefined },
    }
    const team = { teamId, enterpriseId: undefined }
    return (await personOf(installation, { userId: 'U1', name: 'dave', team, isInside: true }))?.name
  }
  return { asked, nameIn }
}

describe('the name of somebody', () => {
  it('is that of the workspace they ask in, though another has somebody of the same id', async () => {
    const { nameIn } = openPersonOf()
    expect([await nameIn('T1'), await nameIn('T2')]).toEqual(['Dave of T1', 'Dave of T2'])
  })

  it('is asked for once by requests that come at the same time', async () => {
    const { asked, nameIn } = openPersonOf()
    const names = await Promise.all([nameIn('T1'), nameIn('T1'), nameIn('T1')])
    expect(names).toEqual(['Dave of T1', 'Dave of T1', 'Dave of T1'])
    expect(asked).toEqual(['T1'])
  })
})
