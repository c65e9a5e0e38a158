// The story that goes on at the stand-in service while people look: one open alert after the other lives on until it is
// closed.
import type { AlertHandle } from './alerts.ts'
import type { MonitorService } from './start-monitor.ts'

export interface Happened {
  readonly ks: string
  /** For people. */
  readonly happened: string
}

interface Chapter {
  readonly happened: string
  happens(alert: AlertHandle): void
}

const worse: Readonly<Record<string, string>> = {
  'disk-full': 'Disk /var is 98 % full',
  'web server 503': 'shop.example.com answers 503, and so does its fallback',
  'one-hit': 'Certificate expires in 5 days',
}

const chapters: readonly Chapter[] = [
  {
    happened: 'a comment is added',
    happens: (alert) => alert.act({ kind: 'Comment', data: { userId: 7, message: 'Looking into it.' } }),
  },
  {
    happened: 'another hit, more severe',
    happens: (alert) => alert.hit({ message: worse[alert.ks] ?? 'It is getting worse', severity: 1 }),
  },
  {
    happened: 'it is assigned',
    happens: (alert) =>
      alert.act({ kind: 'Assign', data: { userId: 7, ownerId: 9, message: 'Yours, please.' } }),
  },
  {
    happened: 'an integration is called',
    happens: (alert) =>
      alert.act({ kind: 'IntegrationCall', data: { integration: 'pager', result: { status: 202 } } }),
  },
  { happened: 'another hit, less severe', happens: (alert) => alert.hit({ severity: 4 }) },
  {
    happened: 'it is closed',
    happens: (alert) => alert.close('Close', { userId: 9, message: 'Fixed for good.' }),
  },
]

/** @param alerts - Open ones, the first to live on first; when all are closed, new ones are opened. */
export function tellStory(service: MonitorService, alerts: readonly AlertHandle[]): () => Happened {
  const ahead = alerts.flatMap((alert) => chapters.map((chapter) => ({ alert, chapter })))
  let opened = 1

  return () => {
    const next = ahead.shift()
    if (next === undefined) {
      opened += 1
      const alert = service.addAlert({
        ...{ ks: `disk-full-${opened}`, message: 'Disk /var is 93 % full' },
        ...{ containerId: 12, assetId: 31, link: { conditionId: 4, item: '/var' } },
      })
      ahead.push(...chapters.map((chapter) => ({ alert, chapter })))
      return { ks: alert.ks, happened: 'a new alert is opened' }
    }
    next.chapter.happens(next.alert)
    return { ks: next.alert.ks, happened: next.chapter.happened }
  }
}
