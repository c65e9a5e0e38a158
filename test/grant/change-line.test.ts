// `/grant who`, `/grant change` and `/grant remove`, as typed.
import { describe, expect, it } from 'vitest'
import { parseGrant } from '../../src/grant/input/line.ts'
import { defaultRoles, flags } from '../../src/grant/roles.ts'

const settings = { roles: defaultRoles, authProviders: ['Password'], hasAllOperations: true }
const known = [{ id: 12, name: 'Customer 1' }]
const read = (line: string) => parseGrant(line, settings, known)

const { viewer = [], responder = [] } = defaultRoles
const without = (given: readonly string[]) => flags.filter((flag) => !given.includes(flag))

describe('/grant change', () => {
  it.each([
    ['12 d@x.com responder', { permissions: responder, takes: without(responder), member: true }],
    ['d@x.com VIEWER 12', { permissions: viewer, takes: without(viewer), member: undefined }],
    [
      '12 d@x.com +billing,-WEBHOOKS',
      { permissions: ['BILLING'], takes: ['WEBHOOKS'], member: undefined },
    ],
    [
      '12 d@x.com –webhooks —view-log −READ',
      { permissions: [], takes: ['READ', 'VIEW_LOG', 'WEBHOOKS'] },
    ],
    ['12 d@x.com +alert-assign', { permissions: ['ALERT_ASSIGN'], takes: [], member: true }],
    ['12 d@x.com +alert-assign not-member', { permissions: ['ALERT_ASSIGN'], member: false }],
    ['12 d@x.com member', { permissions: [], takes: [], member: true }],
    ['12 d@x.com -member', { permissions: [], takes: [], member: false }],
    ['12 d@x.com not‑member', { member: false }],
    [
      '12 d@x.com viewer +billing -read',
      { permissions: ['API', 'BILLING', 'REPORTING_VIEW', 'VIEW_LOG'] },
    ],
    ['"customer 1" d@x.com -viewer', { permissions: [], takes: viewer }],
    ['12 d@x.com', { permissions: [], takes: [], member: undefined }],
  ])('%s', (line, terms) => {
    expect(read(`change ${line}`)).toMatchObject({
      kind: 'change',
      grantees: ['d@x.com'],
      terms: { kind: 'change', containerId: 12, ...terms },
    })
  })

  it.each([
    ['12 d@x.com BILLING', 'flags behind + and -'],
    ['12 d@x.com e@x.com viewer', 'one person'],
    ['12 responder', 'one person'],
    ['d@x.com responder', 'Type /grant change with a container'],
    ['12 d@x.com +billling', '“+billling” isn’t a flag or a role. Did you mean BILLING?'],
    ['12 34 d@x.com viewer', 'That’s 2 containers: 12, 34.'],
    ['12 d@x.com for 4h', 'What you give can end by itself'],
    ['12 d@x.com -billing until 18:00', 'What you give can end by itself'],
    ['12 @dave viewer', '“@dave” isn’t a flag'],
  ])('%s says what is wrong', (line, words) => {
    const ask = read(`change ${line}`)
    expect(ask.kind === 'problems' && ask.problems.join(' ')).toContain(words)
  })
})

describe('/grant who and /grant remove', () => {
  it.each([
    ['who 12', { containerId: 12, after: 0 }],
    ['WHO customer-1 12', undefined],
    ['who <@U1|dave> 12', { containerId: 12, grantee: '@U1' }],
    ['who 12 d@x.com', { containerId: 12, grantee: 'd@x.com' }],
    ['who 12 webhooks', { containerId: 12, flags: ['WEBHOOKS'] }],
    ['who 12 d@x.com webhooks', undefined],
    ['who 12 viewer', { containerId: 12, flags: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'] }],
    ['who 12 viewer webhooks', undefined],
    ['who 12 +webhooks', undefined],
    ['who 12 member', undefined],
    ['who', undefined],
    ['remove 12 d@x.com, e@x.com', { grantees: ['d@x.com', 'e@x.com'] }],
    ['remove 12 d@x.com viewer', undefined],
    ['remove 12', undefined],
    ['remove 12 d@x.com for 4h', undefined],
  ])('%s', (line, ask) => {
    expect(read(line)).toMatchObject(ask ?? { kind: 'problems' })
  })
})
