// Each word of `/grant` and `/alert`: its help, its slip, its synonyms and the documents’ lists come from one table each.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAlertLine } from '../../src/alert/input.ts'
import { alertWords, helpText } from '../../src/alert/words.ts'
import {
  commandNear,
  commandSaid,
  grantCommands,
  grantWords,
} from '../../src/grant/input/grammar.ts'
import { renderHelp } from '../../src/grant/render/help.ts'
import { defaultRoles } from '../../src/grant/roles.ts'

const settings = { roles: defaultRoles, authProviders: ['Google'], hasAllOperations: true }
const using = readFileSync('docs/using.md', 'utf8')
const readme = readFileSync('README.md', 'utf8')

/** Its last letter twice. */
const slipOf = (word: string) => `${word}${word.at(-1)}`

describe('each word of /grant', () => {
  it.each(grantCommands)('%s has its help, and its slip is understood', (command) => {
    const { help } = grantWords[command]
    const lines = help(settings)

    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines)
      expect(renderHelp(settings).text).toContain(line.slice(0, 20).split('<')[0])
    const isPlain = command === 'grant' || command === 'help'
    expect(lines.join()).toContain(isPlain ? '/grant' : `/grant ${command}`)
    if (command !== 'grant') expect(commandNear(slipOf(command))).toBe(command)
  })

  it.each(grantCommands.filter((one) => one !== 'grant'))(
    '%s stands in docs/using.md',
    (command) => {
      expect(using).toContain(`/grant ${command}`)
    },
  )

  it('means one thing alone', () => {
    const all = grantCommands.flatMap((one) => [one, ...grantWords[one].synonyms])
    expect(all.filter((word, at) => all.indexOf(word) !== at)).toEqual([])
    for (const one of grantCommands)
      for (const synonym of grantWords[one].synonyms) expect(commandSaid(synonym)).toBe(one)
  })

  it.each([true, false])('is in help only where the service can do it (%s)', (hasAllOperations) => {
    const { text } = renderHelp({ ...settings, hasAllOperations })
    for (const word of ['who', 'change', 'remove', 'invite', 'due'])
      expect(text.includes(`/grant ${word}`)).toBe(hasAllOperations)
    expect(text.includes('for 4h')).toBe(hasAllOperations)
  })
})

describe('each word of /alert', () => {
  const words = Object.entries(alertWords).filter(([word]) => word !== 'form')
  const help = helpText(true, true)

  it.each(words)('%s has its help, and its slip is understood', (word, { takes }) => {
    if (word !== 'help') expect(help).toContain(`/alert ${word}`)
    const behind = {
      key: ' 5HkX',
      'key and person': ' 5HkX me',
      'key or container': ' 5HkX for 2h',
      container: ' 12',
      time: ' 4h',
      nothing: ' x',
    }
    const ask = parseAlertLine(`${slipOf(word)}${behind[takes]}`, undefined)
    // What only reads is done, and what asks anyway is asked.
    if (word === 'maintenance')
      expect(ask).toMatchObject({ kind: 'maintenance', line: '5HkX for 2h' })
    else if (word === 'open') expect(ask).toMatchObject({ kind: 'open', container: 12 })
    else if (word === 'since') expect(ask).toMatchObject({ kind: 'since', line: '4h' })
    else if (word === 'show') expect(ask).toMatchObject({ kind: 'look-up', ks: '5HkX' })
    else
      expect(ask).toMatchObject({ kind: 'problem', meant: { name: expect.stringContaining(word) } })
  })

  it.each(
    words.flatMap(([word, { synonyms = [], takes }]) =>
      synonyms.map((one) => [one, word, takes] as const),
    ),
  )('%s means %s where something fits it, else it’s a key', (synonym, word, takes) => {
    const behind = {
      key: '5HkX',
      'key and person': '5HkX to me',
      'key or container': '5HkX',
      container: '12',
      time: '4h',
      nothing: '',
    }
    const meant = parseAlertLine(`${synonym} ${behind[takes]}`, undefined)
    if (word === 'show') expect(meant).toMatchObject({ kind: 'look-up', ks: '5HkX' })
    else if (word === 'open') expect(meant).toMatchObject({ kind: 'open', container: 12 })
    else
      expect(meant).toMatchObject({
        kind: 'problem',
        meant: { line: expect.stringMatching(`^${word} `) },
      })
    for (const key of [synonym, `"${synonym}" private`])
      expect(parseAlertLine(key, undefined)).toMatchObject({ kind: 'look-up', ks: synonym })
  })

  it.each(words.filter(([word]) => word !== 'help' && word !== 'show'))(
    '%s stands in the README',
    (word) => {
      expect(`${readme}${using}`).toContain(`/alert ${word}`)
    },
  )
})
