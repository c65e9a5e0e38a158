// Claims of documents about commands, labels, settings and scripts, held against the real thing. Each returns what is
// wrong.
import { parseAlertLine } from '../../src/alert/input.ts'
import { parseGrant } from '../../src/grant/input/line.ts'
import { draftOf, exactLine } from '../../src/grant/input/meant.ts'
import { readTokens } from '../../src/grant/input/pieces.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { all, codeIn, italicsIn } from './markdown.ts'

const alertUrl = 'https://monitoring.example.com/alert/{ks}'
const grantSettings = {
  roles: defaultRoles,
  authProviders: ['Password', 'Google', 'Microsoft'],
  hasAllOperations: true,
}
/** Keys in examples. Any word is a key; so without this list a mistyped command would be one. */
const sampleKeys = ['5HkX', 'my key', 'disk-full', 'one-hit']

/** What stands for something else, and something that may stand there. */
const placeholders: readonly (readonly [RegExp, string])[] = [
  [/<key>|<key or link>/g, '5HkX'],
  [/<container>/g, '12'],
  [/<email>|<email or @person>/g, 'dave@example.com'],
  [/<flags>|<role or flags>/g, 'viewer'],
  [/https:\/\/…/g, alertUrl.replace('{ks}', '5HkX')],
  // As Slack writes a mention.
  [/(?<![\w@])@(\w+)(?!\S)/g, '<@U0123ABCD|$1>'],
  [/ ?…/g, ''],
]

/** Command lines that the bot would not take as they stand. */
export function wrongLines(text: string): readonly string[] {
  const lines = codeIn(text).filter((code) => /^(\/|@Bellhop )(alert|grant)\b/.test(code))
  return lines.filter((line) => {
    const [, command, typed = ''] = /^(?:\/|@Bellhop )(\w+) ?(.*)$/.exec(line) ?? []
    const filled = placeholders.reduce(
      (one, [pattern, value]) => one.replaceAll(pattern, value),
      typed,
    )
    if (/<(?!@U)/.test(filled)) return true
    if (command === 'grant') return !isGrant(filled)
    const ask = parseAlertLine(filled, alertUrl)
    return (
      (ask.kind === 'problem' && !ask.problem.startsWith('You typed')) ||
      (ask.kind === 'look-up' && !('ks' in ask && sampleKeys.includes(ask.ks)))
    )
  })
}

/** In the exact form, or in other words. */
function isGrant(line: string): boolean {
  if (parseGrant(line, grantSettings).kind !== 'problems') return true
  const draft = draftOf(readTokens(line), grantSettings, [])
  return parseGrant(exactLine(draft), grantSettings).kind !== 'problems'
}

/** Words of Slack’s own pages, which the documents tell people to press. */
const otherLabels: readonly string[] = [
  ...['Create New App', 'From a manifest', 'Basic Information', 'App-Level Tokens', 'Generate'],
  ...[
    'Install App',
    'Install to Workspace',
    'Org Level Apps',
    'Bot User OAuth Token',
    'App Manifest',
    'Signing Secret',
  ],
  ...['Continue', 'Create and Install', 'Your app credentials', 'Your App Configuration Tokens'],
  ...[
    'Allow',
    'Event Subscriptions',
    'Retry',
    'Verified',
    'Manage Distribution',
    'Activate Public Distribution',
  ],
  // Grafana's.
  ...['Dashboards', 'New', 'Import'],
  // GitHub's.
  ...['Report a vulnerability', 'Security'],
]

/** Words in italics that are neither a label in these sources nor one of others. Italics are for labels alone. */
export function unknownLabels(text: string, sources: string): readonly string[] {
  return italicsIn(text).filter((label) => {
    if (otherLabels.includes(label)) return false
    const quoted = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return !new RegExp(`(['"\`*>]|name: )${quoted}(['"\`*<.:…]|$)`, 'm').test(sources)
  })
}

/** @param known - Settings, and whatever else is written like them. */
export function unknownSettings(text: string, known: readonly string[]): readonly string[] {
  return all(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g, text).filter((name) => !known.includes(name))
}

/** Names of scripts, as in `npm run doctor` and `npm test`. */
export function scriptsIn(text: string): readonly string[] {
  const own = all(/\bnpm run (?:--silent )?([\w:-]+)/g, text)
  return [...own, ...all(/\bnpm (start|test)\b/g, text)].map((name) => name.replace(/[:-]$/, ''))
}

/** Each production dependency that a document names, with its reason. */
export function reasonsIn(text: string): ReadonlyMap<string, string> {
  const [paragraph = ''] = /^Production dependencies[\s\S]*?(?=\n\n)/m.exec(text) ?? []
  const pairs = paragraph.replaceAll(/\s+/g, ' ').matchAll(/((?:`[^`]+`(?: and )?)+) \(([^)]+)\)/g)
  return new Map(
    [...pairs].flatMap(([, names = '', reason = '']) =>
      codeIn(names).map((name) => [name, reason] as const),
    ),
  )
}
