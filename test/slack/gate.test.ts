// The gate by itself: how much comes in, what is counted of who does not, and how many are told.
import { expect, it } from 'vitest'
import { actUndone } from '../../src/act/render/verdict.ts'
import { alertUndone } from '../../src/alert/render/no-card.ts'
import { grantUndone } from '../../src/grant/render/explain.ts'
import { asRequest } from '../../src/log/request.ts'
import { createGate } from '../../src/slack/gate/gate.ts'
import { nobodyCounts } from '../../src/slack/observer.ts'
import { keepLog } from '../keep-log.ts'
import { limitAlone } from './limit-alone.ts'

const place = {
  workspaceId: 'T1',
  userId: 'U1',
  channelId: 'C1',
  responseUrl: undefined,
  isDirect: false,
  threadTs: undefined,
}
const person = { workspaceId: 'T1', userId: 'U1' }

function open(most: number) {
  let [size, waiting] = [0, 0]
  const held: string[] = []
  const told: PromiseWithResolvers<void>[] = []
  const { log, lines } = keepLog('warn')
  const onHeldBack = () => held.push('person')
  const gate = createGate({
    work: { size: () => size, waiting: () => waiting },
    limit: limitAlone({ perMinute: 2, now: () => 0, onHeldBack }),
    delivery: {
      privately() {
        const answer = Promise.withResolvers<void>()
        told.push(answer)
        return answer.promise
      },
    },
    observer: { ...nobodyCounts, heldBack: (why) => held.push(why) },
    undone: { alert: alertUndone, act: actUndone, grant: grantUndone },
    log,
    now: () => 0,
    most,
  })
  const fill = (to: number, waits = 0) => {
    size = to
    waiting = waits
  }
  return { gate, fill, held, told, lines }
}

it('lets in as much as is set, and what takes something back up to twice of it', () => {
  const { gate, fill, held } = open(10)
  fill(9)
  expect(gate.turnDownIfBusy('alert', false)).toBeUndefined()
  fill(10)
  expect(gate.turnDownIfBusy('grant', false)).toContain('Nothing was sent.')
  expect(gate.turnDownIfBusy('alert', true)).toBeUndefined()
  fill(19)
  expect(gate.turnDownIfBusy('alert', true)).toBeUndefined()
  fill(20)
  expect(gate.turnDownIfBusy('alert', true)).toContain('Bellhop is busy.')
  expect(held).toEqual(['busy', 'busy'])
})

it('lets in four times as many that only wait, and then nobody', async () => {
  const { gate, fill } = open(10)
  fill(9, 39)
  expect(gate.turnDownIfBusy('alert', false)).toBeUndefined()
  fill(0, 40)
  expect(gate.turnDownIfBusy('alert', false)).toContain('Bellhop is busy.')
  expect(await gate.chargeSilently(person)).toBe(false)
  expect(gate.turnDownIfBusy('alert', true)).toBeUndefined()
  fill(0, 80)
  expect(gate.turnDownIfBusy('alert', true)).toContain('Bellhop is busy.')
})

it('says of a request how it ended', async () => {
  const { gate, fill, held } = open(1)
  fill(1)
  expect(asRequest((request) => [gate.turnDownIfBusy('alert', false), request])[1]).toMatchObject({
    about: 'alert',
    outcome: 'busy',
  })
  const third = await asRequest(async (request) => {
    for (let times = 0; times < 3; times += 1) await gate.charge('grant', person)
    return request
  })
  expect(third).toMatchObject({ about: 'grant', outcome: 'limited' })
  expect(held).toEqual(['busy', 'person'])
})

it('tells a hundred at a time, and others when those have heard it', async () => {
  const { gate, told, lines } = open(1)
  const tells = Array.from({ length: 150 }, () => gate.tell(place, 'no'))
  expect(told).toHaveLength(100)
  told[0]?.reject(new Error('not there'))
  for (const one of told) one.resolve()
  await Promise.all(tells)
  expect(lines).toHaveLength(1)
  void gate.tell(place, 'no')
  expect(told).toHaveLength(101)
})
