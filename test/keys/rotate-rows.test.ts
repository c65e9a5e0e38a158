// Rows by the page: each is looked at once a pass, also where whole pages open with no key.
import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { createVault } from '../../src/account/vault.ts'
import { rotate, type SealedRow, type SealedRows } from '../../src/keys/rotate.ts'

const key = (id: string) => ({ id, key: createSecretKey(Buffer.alloc(32, id)) })

it('goes past pages of what no key opens', async () => {
  const keys = [key('k2'), key('k1')]
  const [old, vault] = [createVault([key('k1')]), createVault(keys)]
  const rows = new Map(
    Array.from({ length: 250 }, (_, at): [string, SealedRow] => {
      const place = String(at).padStart(3, '0')
      const boundTo = { purpose: 'token', workspaceId: 'T1', userId: place } as const
      const sealed = at === 249 ? old.seal('a token', boundTo) : 'k0.lost'
      return [place, { place: [place], boundTo, sealed }]
    }),
  )
  let pages = 0
  const store: SealedRows = {
    purposes: ['token'],
    count: async () => rows.size,
    async sealedByOtherKeys(_purpose, keyId, { after, most }) {
      pages += 1
      if (pages > 20) throw new Error('the same pages again and again')
      const later = [...rows.values()].filter(({ place: [place = ''] }) => place > (after?.[0] ?? ''))
      return later.filter(({ sealed }) => !sealed.startsWith(`${keyId}.`)).slice(0, most)
    },
    async replace(row, sealed) {
      rows.set(row.place[0] ?? '', { ...row, sealed })
      return true
    },
  }
  const rotated = await rotate({ rows: store, vault, keyId: 'k2' }, () => undefined)
  expect(rotated).toEqual([{ purpose: 'token', anew: 1, all: 250, lost: { k0: 249 }, left: 0 }])
  expect(rows.get('249')?.sealed).toMatch(/^k2\./)
})
