// Kinds of settings, as zod reads them. No message repeats a value: an operator who mixes two variables up must not find a
// token in a log.

import { createSecretKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { EncryptionKey } from '../account/vault.ts'
import { linkParts } from '../alert/link.ts'
import { type Flag, flags, isFlag } from '../grant/flags.ts'
import { mostMentioned, readMention } from '../slack/text/mrkdwn.ts'

/** Nothing else is said of a value of which this is wrong. @param error - Follows the name of the setting: “is not …”. */
const wrong = (error: string) => ({ error, abort: true })

export const text = (form: RegExp, error: string) => z.string().regex(form, wrong(error))

/** @param what - As in “a number of seconds”: without its article. */
export function number(what: string, { from, to }: { readonly from: number; readonly to: number }) {
  const error = `must be a ${what} from ${from} to ${to}.`
  return text(/^\d+$/, error).transform(Number).pipe(z.number().min(from, error).max(to, error))
}

export function choice<const Choice extends string>(...choices: readonly [Choice, ...Choice[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(choices, `must be one of ${choices.join(', ')}.`))
}

/** Names by comma, in order; `count` of them when given. A menu in Slack offers no more than 100. */
export function names({ characters, count }: { readonly characters: number; readonly count?: number }) {
  return z
    .string()
    .transform((all) => all.split(',').map((name) => name.trim()))
    .refine(
      (all) => all.length === (count ?? all.length),
      wrong(`must have ${count} names, separated by commas.`),
    )
    .refine((all) => all.length <= 100, 'has more than 100 names. Remove some.')
    .refine((all) => !all.includes(''), 'has an empty name between two commas. Fill it in or remove it.')
    .refine(
      (all) => new Set(all.map((name) => name.toLowerCase())).size === all.length,
      wrong('has the same name twice. Remove one.'),
    )
    .refine(
      (all) => all.every((name) => name.length <= characters),
      wrong(`has a name of more than ${characters} characters. Shorten it.`),
    )
}

/** An address without its last slash. http is for loopback only: tokens travel over it. */
export function address(example: string) {
  return z
    .string()
    .refine(
      (one) => /^https?:$/.test(URL.parse(one)?.protocol ?? ''),
      wrong(`is not an address. It looks like ${example}.`),
    )
    .refine(
      (one) => /^(https:|http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/?#]|$))/i.test(one),
      wrong(
        'must start with https://, because secrets travel over it. (http:// works only for this machine.)',
      ),
    )
    .refine((one) => !/[?#@]/.test(one), 'must end with its path, and contain no user, password, ? or #.')
    .transform((one) => one.replace(/\/+$/, ''))
}

/** Of a proxy. A user and a password in it are its own. Other programs take it without its scheme, too. */
export const proxy = z
  .string()
  .transform((one) => URL.parse(/^[^/\s]+:\d+\/?$/.test(one) ? `http://${one}` : one)?.href ?? '')
  .refine(
    (one) => /^https?:/.test(one) && !/%(?![\da-f]{2})/i.test(one),
    'is not the address of a proxy. It looks like http://proxy.example.com:3128. If the proxy asks for a user, put user:password@ in front of the host.',
  )

const alertUrlExamples =
  'It looks like https://monitoring.example.com/alert/{ks}, or like https://monitoring.example.com/container/{container}/asset/{asset}/alert?alert={timestamp}.'

/** Placeholders in the host would make a link of anybody's server one of ours. */
export const alertUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#@{}\s]+\//, wrong(`is not the address of an alert. ${alertUrlExamples}`))
  .refine((one) => {
    const all = [...one.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
    const known = all.filter((name) => name === 'ks' || linkParts.some((part) => part === name))
    if (new Set(known).size < known.length || one.includes('}{')) return false
    if (known.includes('ks')) return known.length === 1
    return known.length === all.length && known.includes('asset') && known.includes('timestamp')
  }, `must hold {ks} alone, or {asset} and {timestamp}, each placeholder once and with something in between. ${alertUrlExamples}`)

export const databaseUrl = z
  .string()
  .refine(
    (one) =>
      /^postgres(ql)?:/i.test(one)
        ? !/[\s#]|%(?![\da-f]{2})/i.test(one) &&
          /^postgres(ql)?:\/\//i.test(one) &&
          /^\/[^/]+$/.test(URL.parse(one)?.pathname ?? '')
        : /^file:(\/\/\/[^/]|\/?[^/:])/.test(one) && !one.endsWith('/') && !one.includes('\0'),
    'is not the address of a database. It looks like file:./data/bellhop.db, or for PostgreSQL like postgres://user:password@host/bellhop. In user and password, percent-encode everything except letters and digits (@ is %40, / is %2F, # is %23).',
  )

/** Names of channels change, and two may have been the same; the id stays. */
export const channel = text(
  /^[CG][A-Z0-9]{2,20}$/,
  'is not a channel id, which looks like C0123ABCDEF. In Slack, click the channel’s name: its id is at the bottom of About.',
)

/** Of people and user groups. */
export const mentioned = z.string().transform((ids, context) => {
  const read = readMention(ids)
  if (read !== undefined) return read
  context.addIssue(
    `must be at most ${mostMentioned} ids of people (U…) or user groups (S…), separated by commas. In Slack, the menu of a profile or of a user group copies its id.`,
  )
  return z.NEVER
})

const keyForm = /^([\w-]{1,40}):([\w+/-]{43}=?)$/

export const encryptionKeys = z
  .string('is missing. Create one with `npm run keygen`, and keep a copy in a safe place.')
  .transform((all, context): readonly EncryptionKey[] => {
    const keys = all.split(',').map((one) => keyForm.exec(one.trim()))
    const odd = keys.indexOf(null)
    // Its place, not its id: what stands before the colon may be the key itself, by mistake.
    if (odd !== -1) {
      context.addIssue(
        `key ${odd + 1} of ${keys.length} is not an id (letters, digits, - and _), a colon and 32 bytes in base64. Create one with \`npm run keygen\`.`,
      )
    }
    if (new Set(keys.map((key) => key?.[1])).size < keys.length) {
      context.addIssue('two keys have the same id. Give each its own.')
    }
    return keys.flatMap((key) =>
      key === null ? [] : [{ id: key[1] ?? '', key: createSecretKey(Buffer.from(key[2] ?? '', 'base64')) }],
    )
  })

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** A file of certificates, as text. @returns Each of them, as PEM. */
export const certificates = z.string().transform((path, context): readonly string[] => {
  try {
    const found = readFileSync(path, 'latin1').match(certificate) ?? []
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString())
  } catch {
    // As where there is no certificate in it.
  }
  context.addIssue(
    'doesn’t name a file with a certificate that Bellhop can read. Put the certificate of the authority that signed the service’s there, as text that begins with -----BEGIN CERTIFICATE-----. In a container, mount the file.',
  )
  return z.NEVER
})

function asFlag(word: string): string {
  return word.trim().toUpperCase().replaceAll('-', '_')
}

const notRoles = 'must be JSON with the flags of each role, such as {"viewer":["READ","API"]}.'

/** Flags in any spelling that `/grant` takes; in the contract's order, without repeats. */
const flagNames = z
  .array(z.string(notRoles), notRoles)
  .min(1, notRoles)
  .transform((words, context): readonly Flag[] => {
    const odd = words.findIndex((word) => !isFlag(asFlag(word)))
    if (odd !== -1) {
      context.addIssue(`word ${odd + 1} of ${words.length} is not a flag. \`/grant help flags\` lists them.`)
    }
    const wanted = new Set(words.map(asFlag))
    return flags.filter((flag) => wanted.has(flag))
  })

export const flagList = z
  .string()
  .transform((all) => all.split(','))
  .pipe(flagNames)

/** Words of `/grant` that a role would hide, or that would hide it. */
const taken: ReadonlySet<string> = new Set(['help', 'presets', 'member', 'via'])

const roleName = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,39}$/,
    'a role has a name that can’t be used. Use up to 40 letters, digits, - and _.',
  )
  .refine(
    (name) => !taken.has(name) && !isFlag(asFlag(name)),
    'a role has the name of a flag, or a word that means something else in /grant. Rename the role.',
  )

/** Entries, not an object: zod's records leave `__proto__` out without a word. */
const rolesSchema = z
  .array(z.tuple([roleName, flagNames]), notRoles)
  .refine(
    (roles) => new Set(roles.map(([name]) => asFlag(name))).size === roles.length,
    'two roles have the same name. Rename one.',
  )

/** `{"viewer": ["READ", "API"]}`. */
export const roles = z
  .string()
  .transform(entriesOf)
  .pipe(rolesSchema)
  .transform((all): Readonly<Record<string, readonly Flag[]>> => Object.fromEntries(all))

function entriesOf(json: string): unknown {
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? Object.entries(parsed)
      : undefined
  } catch {
    return undefined
  }
}
