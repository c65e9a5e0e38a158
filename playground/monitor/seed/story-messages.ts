// The messages of an alert that gets worse or better.

/** Of alerts whose messages are known, the mildest first. */
const ladders: Readonly<Record<string, readonly string[]>> = {
  'disk-full': [
    'Disk /var is 85 % full',
    'Disk /var is 91 % full',
    'Disk /var is 96 % full',
    'Disk /var is 98 % full',
    'Disk /var is full',
  ],
  'web server 503': [
    'shop.example.com answers slowly',
    'shop.example.com answers 503',
    'shop.example.com answers 503, and so does its fallback',
    'shop.example.com does not answer',
  ],
  'one-hit': [
    'Certificate is renewed, but not in use yet',
    'Certificate expires in 6 days',
    'Certificate expires in 5 days',
    'Certificate expires tomorrow',
  ],
  'replica-lag': [
    'db-02 lags by 4 minutes',
    'db-02 lags by 11 minutes',
    'db-02 lags by 30 minutes',
    'db-02 has stopped following db-01',
  ],
  'backup-missed': ['No backup of db-01 for 26 hours', 'No backup of db-01 for 2 days'],
}

const note = / \(getting (?:worse|better)\)$/

/** Another message than the one before, or one that says which way it goes. */
export function messageAfter(ks: string, before: string, way: 'worse' | 'better'): string {
  const base = before.replace(note, '')
  const ladder = Object.hasOwn(ladders, ks) ? ladders[ks] : undefined
  const at = ladder?.indexOf(base) ?? -1
  const next = at < 0 ? undefined : ladder?.[way === 'worse' ? at + 1 : at - 1]
  return next ?? `${base} (getting ${way})`
}
