// The shelf as a whole: its index has every file, and what its files name is there: settings, figures, addresses, files and
// what `npm run audit` is asked.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../../src/config/config.ts'
import { parseArguments } from '../../src/terminal/audit.ts'
import { readSources } from '../architecture/source.ts'
import { all, codeIn } from '../documents/markdown.ts'
import { onShelf } from './tools.ts'

const files = readdirSync('docs/operating')
/** Pages for operators. */
const written = ['docs/operating/README.md', 'docs/running.md', 'SECURITY.md'].map(
  (path) => [path, readFileSync(path, 'utf8')] as const,
)
/** What others read: Node, and systemd. */
const ofOthers = ['NODE_ENV', 'NODE_DISABLE_COMPILE_CACHE', 'AF_INET', 'AF_UNIX', 'AF_NETLINK']

/** What is written like a setting, and is none. */
const wrongSettings = (text: string) =>
  all(/\b([A-Z]{2,}_[A-Z_]+)\b/g, text).filter(
    (name) => ![...settingNames, ...ofOthers].includes(name),
  )

/** Addresses of the bot, as its sources have them. */
const sources = readSources()
  .map(({ text }) => text)
  .join('\n')
const routes = all(/'(?:GET|POST) (\/[\w/-]+)\*?'/g, sources)
/** In a document: an address, and no command of Slack, and no path of the system. */
const isAddress = (code: string) =>
  /^\/[a-z_]+(\/[a-z_]*)?$/.test(code) && !/^\/(alert|grant|bellhop\/data)$/.test(code)
const wrongAddresses = (text: string) =>
  codeIn(text).filter((code) => isAddress(code) && !routes.includes(code))

/** Options of audit, as a page has them: beside the file, or in words of their own. */
const audits = (text: string) => [
  ...all(/terminal\/audit\.ts ([^\n`]*)/g, text),
  ...codeIn(text).filter((code) => /^--(since|until|who|act|verify|erase|format)\b/.test(code)),
]
const wrongAudits = (text: string) =>
  audits(text).filter((words) => {
    try {
      parseArguments(words.split(/\s+/), 1_800_000_000_000)
      return false
    } catch {
      return true
    }
  })

/** Files that people are told to start, below the directory of Bellhop. */
const started = (text: string) =>
  all(/\bnode (?:--\S+ )*(?:\/opt\/bellhop\/)?((?:src|bench|playground|dist)\/\S+\.[jt]s)/g, text)

describe('the shelf', () => {
  it('has an index of all that is on it', () => {
    const others = files.filter((name) => name !== 'README.md')
    const linked = all(/\[[\w.-]+\]\(([\w.-]+)\)/g, onShelf('README.md'))
    expect(linked.toSorted()).toEqual(others.toSorted())
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/operating/README.md)')
  })

  it.each(files)('%s names settings that there are', (name) => {
    expect(wrongSettings(onShelf(name))).toEqual([])
  })

  it.each(written)(
    '%s names addresses and files that there are, and asks the audit trail what it answers',
    (_, text) => {
      expect(wrongAddresses(text)).toEqual([])
      expect(wrongAudits(text)).toEqual([])
      expect(started(text).filter((path) => !existsSync(path))).toEqual([])
    },
  )

  it('has proxies forward what Slack, browsers and webhooks ask for, and nothing else', () => {
    const forwarded = ['/connect/', '/ring/', '/slack/events']
    const inNginx = [
      ...onShelf('nginx.conf').matchAll(/location (?:= )?(\S+)\s+\{[^}]*proxy_pass/g),
    ]
    expect(inNginx.map(([, path]) => path).toSorted()).toEqual(forwarded)
    const [, inCaddy = ''] = /@forwarded path (.*)/.exec(onShelf('Caddyfile')) ?? []
    expect(inCaddy.replaceAll('*', '').split(' ').toSorted()).toEqual(forwarded)
  })
})
