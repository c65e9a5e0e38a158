// What cards are drawn by.
import { severities } from '../../playground/monitor/seed/story.ts'

export const settings = {
  severityNames: severities,
  alertUrl: 'https://monitor.example.com/alert/{ks}',
  hasAllOperations: true,
  watch: { intervalMs: 30_000 },
}
