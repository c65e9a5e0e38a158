// The contract of where the bot is installed, and of who is about to install it.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const acme = {
  installation: {
    teamId: 'T1',
    teamName: 'Acme',
    enterpriseId: undefined,
    isOrgWide: false,
    botUserId: 'UBOT1',
    botId: 'B1',
    url: 'https://acme.slack.com/',
    scopes: new Set(['chat:write', 'users:read']),
  },
  token: 'k.one',
  installerId: 'U1',
}
const initech = {
  installation: {
    teamId: 'E2',
    teamName: undefined,
    enterpriseId: 'E2',
    isOrgWide: true,
    botUserId: 'UBOT2',
    botId: undefined,
    url: undefined,
    scopes: undefined,
  },
  token: 'k.org',
  installerId: 'U2',
}
const none = { audit: undefined, approval: undefined }
const minuteMs = 60_000

export function installationsContract(open: OpenPair): void {
  describe('installations', () => {
    it('are kept apart, each as it was', async () => {
      const { storage, other } = await open()
      expect(await storage.installations.find('T1')).toBeUndefined()
      await storage.installations.keep('T1', acme)
      await storage.installations.keep('E2', initech)

      expect(await other.installations.find('T1')).toEqual({ ...acme, channels: none, mention: [] })
      expect(await other.installations.find('E2')).toEqual({ ...initech, channels: none, mention: [] })
      expect(await other.installations.count()).toBe(2)
    })

    it('of an organisation are those of its workspaces', async () => {
      const { storage, other } = await open()
      const inWorkspace = { ...initech.installation, teamId: 'T3', isOrgWide: false }
      await storage.installations.keep('T1', acme)
      await storage.installations.keep('E2', initech)
      await storage.installations.keep('T3', { ...initech, installation: inWorkspace })

      expect(await other.installations.ofOrganisation('E2')).toEqual(['T3'])
      expect(await other.installations.ofOrganisation('E9')).toEqual([])
    })

    it('are found by their bots, and by nobody else', async () => {
      const { storage, other } = await open()
      await storage.installations.keep('T1', acme)
      await storage.installations.keep('E2', initech)
      expect(await other.installations.ofBotUsers(['U1', 'UBOT2'])).toBe('E2')
      expect(await other.installations.ofBotUsers(['U1', 'UBOT3'])).toBeUndefined()
    })

    it('that are made again have the new token and installer, and their channels and mention still', async () => {
      const { storage, other } = await open()
      const channels = { audit: 'C1', approval: undefined }
      const mention = ['U1', 'S2']
      expect(await storage.installations.choose('T1', channels, mention)).toBe(false)
      await storage.installations.keep('T1', acme)
      expect(await other.installations.choose('T1', channels, mention)).toBe(true)

      const again = { ...acme, token: 'k.two', installerId: 'U9' }
      await storage.installations.keep('T1', again)

      expect(await other.installations.find('T1')).toEqual({ ...again, channels, mention })
      await storage.installations.choose('T1', none, [])
      expect(await other.installations.find('T1')).toEqual({ ...again, channels: none, mention: [] })
    })

    it('are resealed and forgotten only as long as nobody has changed them', async () => {
      const { storage, other } = await open()
      await storage.installations.keep('T1', acme)
      await storage.installations.reseal('T1', 'k.one', 'k2.one')
      await other.installations.reseal('T1', 'k.one', 'k2.late')
      await other.installations.forget('T1', 'k.one')
      expect(await storage.installations.find('T1')).toMatchObject({ token: 'k2.one' })

      await other.installations.forget('T1', 'k2.one')
      expect(await storage.installations.find('T1')).toBeUndefined()
      expect(await storage.installations.count()).toBe(0)
    })

    it('outlive what is forgotten of their workspace: who asks for it says when', async () => {
      const { storage } = await open()
      await storage.installations.keep('T1', acme)
      await storage.forgetWorkspace('T1')
      expect(await storage.installations.find('T1')).toBeDefined()
    })
  })

  describe('states of those who are about to install', () => {
    it('are good once, for one of those who come back with it at the same moment', async () => {
      const { storage, other } = await open()
      await storage.installStates.keep('h1')
      const takers = [storage, other, storage, other]
      const answers = await Promise.all(
        takers.map(({ installStates }) => installStates.take('h1', 10 * minuteMs)),
      )
      expect(answers.toSorted()).toEqual(['good', 'used', 'used', 'used'])
      expect(await other.installStates.take('h2', 10 * minuteMs)).toBe('unknown')
    })

    it('expire, and are forgotten', async () => {
      const { storage, other } = await open()
      await storage.installStates.keep('h1')
      // On PostgreSQL time is the database’s and does not move.
      expect(await other.installStates.take('h1', -minuteMs)).toBe('expired')
      await storage.installStates.prune(0)
      expect(await other.installStates.take('h1', -minuteMs)).toBe('expired')
      await storage.installStates.prune(Number.MAX_SAFE_INTEGER)
      expect(await other.installStates.take('h1', minuteMs)).toBe('unknown')
    })
  })
}
