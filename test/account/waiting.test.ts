// Commands that wait for an account: what a version before has kept is read as well.
import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { askToConnect, takeWaiting } from '../../src/account/connect-first.ts'
import { createVault } from '../../src/account/vault.ts'
import { actWaits } from '../../src/act/render/verdict.ts'
import { alertWaits } from '../../src/alert/render/no-card.ts'
import { grantWaits } from '../../src/grant/render/explain.ts'
import { createLog } from '../../src/log/log.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const vault = createVault([{ id: 'k1', key: createSecretKey(randomBytes(32)) }])

/** What waits, as it stands in the database. */
function kept(what: Readonly<Record<string, unknown>>) {
  const place = { channelId: 'C1', isDirect: false }
  const sealed = vault.seal(JSON.stringify({ ...what, place }), { purpose: 'waiting', ...alice })
  const command = { id: '1', what: sealed, since: 1_000 }
  const waiting = {
    take: async () => command,
    find: async () => command,
    keep: async () => undefined,
    ...{
      forgetAll: async () => undefined,
      forgetWorkspace: async () => undefined,
      prune: async () => undefined,
    },
  }
  return { waiting, vault, now: () => 2_000 }
}

// By the names under which versions before have kept them, which said of each what it was about as well.
it.each([
  ['look-up', 'alert'],
  ['refresh', 'alert'],
  ['share', 'alert'],
  ['history', 'alert'],
  ['unfurl', 'alert'],
  ['watch', 'alert'],
  ['grant', 'grant'],
  ['approval', 'grant'],
])('goes on with what was kept as %s', async (feature, asked) => {
  const room = kept({ feature, asked, ks: '5HkX', ask: { cardId: '7' } })
  const resumed = await takeWaiting(room, alice, '1')
  expect(resumed).toMatchObject({ feature, ks: '5HkX', ask: { cardId: '7' }, isOld: false })
  expect(resumed?.place).toMatchObject({ ...alice, channelId: 'C1' })
})

it('is kept with what it is about, too, without which a process of the version before opens nothing', async () => {
  const sealed: string[] = []
  const room = kept({})
  const waiting = {
    ...room.waiting,
    keep: async (_: unknown, { what }: { readonly what: string }) => void sealed.push(what),
  }
  const wanted = { feature: 'grant', ask: {} } as const
  const place = { ...alice, channelId: 'C1', responseUrl: undefined, isDirect: false }
  const delivery = { privately: async () => undefined }
  const waitingWords = { alert: alertWaits, act: actWaits, grant: grantWaits }
  const other = {
    waitingWords,
    page: undefined,
    log: createLog({ level: 'silent' }),
    onRefusal: async () => undefined,
  }
  await askToConnect(
    { ...room, ...other, waiting, delivery },
    { asker: { ...alice, name: 'alice' }, place },
    wanted,
    'none',
  )

  const opened = sealed.map((what) => vault.open(what, { purpose: 'waiting', ...alice })?.text ?? '')
  expect(opened.map((text) => JSON.parse(text))).toMatchObject([{ feature: 'grant', asked: 'grant' }])
})

it('does not go on with what no feature of this version has kept', async () => {
  expect(await takeWaiting(kept({ feature: 'assign', ask: {} }), alice, '1')).toBeUndefined()
})
