// What cards are drawn by.

export const settings = {
  severityNames: [
    'EMERGENCY',
    'ALERT',
    'CRITICAL',
    'ERROR',
    'WARNING',
    'NOTICE',
    'INFORMATIONAL',
    'DEBUG',
  ],
  alertUrl: 'https://monitor.example.com/alert/{ks}',
  hasAllOperations: true,
  watch: { intervalMs: 30_000 },
}
