// A place that waits in a modal or in the database, and the way back to it.
import { describe, expect, it } from 'vitest'
import { keptPlace, keptPlaceSchema, placeFrom } from '../../src/slack/outbound/delivery.ts'

const place = {
  workspaceId: 'T1',
  userId: 'U1',
  channelId: 'C1',
  responseUrl: 'https://hooks.slack.com/commands/T1/1/x',
  isDirect: false,
  threadTs: '1.2',
}
const kept = () => keptPlaceSchema.parse(JSON.parse(JSON.stringify(keptPlace(place))))

describe('a kept place', () => {
  it('leads whoever comes back with it to where they were', () => {
    expect(placeFrom(kept(), { workspaceId: 'T1', userId: 'U2' })).toMatchObject({ ...place, userId: 'U2' })
  })

  it('leads nowhere in another workspace', () => {
    expect(placeFrom(kept(), { workspaceId: 'T2', userId: 'U1' })).toEqual({
      workspaceId: 'T2',
      userId: 'U1',
      channelId: undefined,
      responseUrl: undefined,
      isDirect: false,
    })
  })

  it('of a version that knew one workspace belongs to whoever comes back', () => {
    const { workspaceId: _, ...before } = kept()
    expect(placeFrom(keptPlaceSchema.parse(before), place)).toMatchObject(place)
  })
})
