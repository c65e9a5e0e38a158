// Part of the bench: how long a card and its history take to render when the alert has had many actions.
import { renderCard } from '../../src/alert/render/card.ts'
import { renderHistory } from '../../src/alert/render/history.ts'
import { parseAlertAnswer } from '../../src/monitor/schema.ts'
import { noNames } from '../../src/names/names.ts'
import { atMost, type Measured, percentile, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { alertText } from '../stand-ins/service.ts'

export interface RenderPlan {
  readonly rounds: number
  /** In each round. */
  readonly times: number
}

const actions = 500
const what = `rendering a card with ${actions} actions`

const settings = {
  severityNames: ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFORMATIONAL', 'DEBUG'],
  alertUrl: 'https://monitoring.example.com/alert/{ks}',
  canAct: true,
}
const alert = {
  ...parseAlertAnswer(alertText('bench-0')),
  actions: Array.from({ length: actions }, (_, index) => ({
    kind: index % 5 === 0 ? 'Assign' : 'Comment',
    timestamp: 1_700_000_000 + index,
    data: {
      userId: 12,
      message: `Step ${index}: ${'moved some of it elsewhere, and looked again. '.repeat(4)}`,
    },
  })),
}

function renderOnce(): number {
  const from = performance.now()
  const view = { cardId: 'card', alert, askerName: 'person001', asOf: 1_700_000_000 }
  const card = renderCard(settings, { ...view, isPrivate: false, canShare: false })
  const history = renderHistory('card', alert.actions, noNames)
  const ms = performance.now() - from
  if (card.blocks.length === 0 || history.blocks.length === 0) throw new TypeError('nothing was rendered')
  return ms
}

export function measureRender({ rounds, times }: RenderPlan): Measured {
  const { note, judge, measured } = takeNotes('render')
  for (let round = -1; round < rounds; round += 1) {
    const ms = percentile(Array.from({ length: times }, renderOnce), 0.5)
    if (round >= 0) note(what, bellhopName, 'ms', ms)
  }
  judge(what, bellhopName, atMost(1))
  return measured()
}
