// Kinds of settings, as zod reads them. No message repeats a value: an operator who mixes two variables up must not find a
// token in a log.
import { createSecretKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { EncryptionKey } from '../account/vault.ts'
import { linkParts } from '../alert/link.ts'
import { readFor } from '../grant/input/until.ts'
import { type Flag, flags, isFlag } from '../grant/roles.ts'
import { parseJson } from '../http/http.ts'
import { mostMentioned, readMention } from '../slack/text/markup.ts'

/** @param wrong - Follows the name of the setting: “is not …”. @param missing - For a setting that must be given. */
function read<Value>(read: (text: string) => Value | undefined, wrong: string, missing?: string) {
  return z.string(missing).transform((text, context) => {
    const value = read(text)
    if (value === undefined) context.addIssue(wrong)
    return value ?? z.NEVER
  })
}

export const text = (form: RegExp, wrong: string, missing?: string) =>
  z.string(missing).regex(form, wrong)

export function number(from: number, to: number) {
  const isGood = (text: string) => /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to
  return read(
    (text) => (isGood(text) ? Number(text) : undefined),
    `must be a whole number from ${from} to ${to}.`,
  )
}

export function choice<const Choice extends string>(...choices: readonly [Choice, ...Choice[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(choices, `must be one of ${choices.join(', ')}.`))
}

/** Names, separated by commas, in order; `count` of them if that is given. A menu in Slack takes 75 characters of each. */
export function names(count?: number) {
  return read(
    (text) => {
      const all = text.split(',').map((name) => name.trim())
      const different = new Set(all.map((name) => name.toLowerCase())).size
      const areGood =
        different === (count ?? all.length) && all.every((name) => /^.{1,75}$/s.test(name))
      return areGood && all.length === different ? all : undefined
    },
    `must have ${count ?? 'one or more'} different names of 1 to 75 characters, separated by commas.`,
  )
}

/** An address without its last slash. http is for this machine only: secrets travel over it. */
export function address(example: string) {
  const isSafe = /^(https:\/\/|http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$))/i
  return read(
    (text) =>
      isSafe.test(text) && URL.canParse(text) && !/[?#@]/.test(text)
        ? text.replace(/\/+$/, '')
        : undefined,
    `must be an https:// address that ends with its path, without a user, a password, ? or #. It looks like ${example}. (http:// works only for this machine.)`,
  )
}

/** The address of a proxy, which may hold a user and a password for it. */
export const proxy = read((text) => {
  const url = URL.parse(text)?.href ?? ''
  return /^https?:/.test(url) && !/%(?![\da-f]{2})/i.test(url) ? url : undefined
}, 'is not the address of a proxy. It looks like http://proxy.example.com:3128. If the proxy asks for a user, put user:password@ in front of the host.')

/** The form of alerts’ links. With a placeholder in the host, links to anybody's server would count as ours. */
export const alertUrl = read((text) => {
  if (!/^https?:\/\/[^/?#@{}\s]+\//.test(text) || text.includes('}{')) return undefined
  const all = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const known = all.filter((name) => name === 'ks' || linkParts.some((part) => part === name))
  if (new Set(known).size < known.length) return undefined
  const isWhole = known.includes('ks')
    ? known.length === 1
    : known.length === all.length && known.includes('asset') && known.includes('timestamp')
  return isWhole ? text : undefined
}, 'is not the address of an alert with {ks} alone, or {asset} and {timestamp}, behind the host, each once and with something in between. It looks like https://monitoring.example.com/alert/{ks}, or like https://monitoring.example.com/container/{container}/asset/{asset}/alert?alert={timestamp}.')

const postgresUrl = /^postgres(ql)?:\/\/(?!.*%(?![\da-f]{2}))[^\s#]*$/i
const fileUrl = /^file:(\/\/\/[^/]|\/?[^/:])/

export const databaseUrl = read((text) => {
  const isGood = postgresUrl.test(text)
    ? /^\/[^/]+$/.test(URL.parse(text)?.pathname ?? '')
    : fileUrl.test(text) && !text.endsWith('/') && !text.includes('\0')
  return isGood ? text : undefined
}, 'is not the address of a database. It looks like file:./data/bellhop.db, or for PostgreSQL like postgres://user:password@host/bellhop. In user and password, percent-encode everything except letters and digits (@ is %40, / is %2F, # is %23).')

/** A channel's id, which stays the same: names change, and two channels may have had the same name. */
export const channel = text(
  /^[CG][A-Z0-9]{2,20}$/,
  'is not a channel id, which looks like C0123ABCDEF. In Slack, click the channel’s name: its id is at the bottom of About.',
)

export const mentioned = read(
  readMention,
  `must be at most ${mostMentioned} ids of people (U…) or user groups (S…), separated by commas. In Slack, the menu of a profile or of a user group copies its id.`,
)

const keyForm = /^([\w-]{1,40}):([\w+/-]{43}=?)$/

export const encryptionKeys = read(
  (text): readonly EncryptionKey[] | undefined => {
    const given = text.split(',')
    const keys = given.flatMap((one) => {
      const [, id, bytes = ''] = keyForm.exec(one.trim()) ?? []
      return id === undefined ? [] : [{ id, key: createSecretKey(Buffer.from(bytes, 'base64')) }]
    })
    return keys.length === given.length ? keys : undefined
  },
  'has a key that is not an id (letters, digits, - and _), a colon and 32 bytes in base64. Create one with `npm run keygen`.',
  'is missing. Create one with `npm run keygen`, and keep a copy in a safe place.',
).refine(
  (keys) => new Set(keys.map(({ id }) => id)).size === keys.length,
  'two keys have the same id. Give each its own.',
)

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Each certificate of a file, as PEM. */
export const certificates = read((path) => {
  try {
    const found = readFileSync(path, 'latin1').match(certificate)
    return found?.map((pem) => new X509Certificate(pem).toString())
  } catch {
    return undefined
  }
}, 'doesn’t name a file with a certificate that Bellhop can read. Put the certificate of the authority that signed the service’s there, as text that begins with -----BEGIN CERTIFICATE-----. In a container, mount the file.')

const allFlags = `The flags are ${flags.join(', ')}.`

const asFlag = (word: string) => word.trim().toUpperCase().replaceAll('-', '_')

/** Flags in any spelling that `/grant` takes; in the contract's order, without repeats. */
const flagWords = z
  .array(z.string().transform(asFlag).pipe(z.enum(flags)))
  .min(1)
  .transform((words): readonly Flag[] => flags.filter((flag) => words.includes(flag)))

export const flagList = read(
  (text) => flagWords.safeParse(text.split(',')).data,
  `has a word that is not a flag. ${allFlags}`,
)

/** Reads `CONTAINER_ADMIN:8h,BILLING:1d` into the longest time for each flag, in milliseconds. */
export const timedFlags = read((text) => {
  const each = text.split(',').map((one) => {
    const [name = '', time = ''] = one.trim().split(':')
    const [flag, longest] = [asFlag(name), readFor(time)]
    return isFlag(flag) && longest ? ([flag, longest.forMs] as const) : undefined
  })
  const all = each.filter((one) => one !== undefined)
  return all.length === each.length ? Object.fromEntries(all) : undefined
}, `must be flags with the longest time that each is given for, such as CONTAINER_ADMIN:8h,BILLING:1d. ${allFlags}`)

/** The form of a role’s name. Words that mean something else in `/grant` are reserved. */
const roleForm =
  /^(?!(help|roles|member|not-member|via|who|change|remove|due|for|until)$)[a-z0-9][a-z0-9_-]{0,39}$/
const rolesSchema = z.record(z.string().toLowerCase(), flagWords)

export const roles = read(
  (json) => rolesSchema.safeParse(parseJson(json)).data,
  `must be JSON with the flags of each role, such as {"viewer":["READ","API"]}. ${allFlags}`,
).refine((all) => {
  const roleNames = Object.keys(all)
  const areGood = roleNames.every((name) => roleForm.test(name) && !isFlag(asFlag(name)))
  return areGood && new Set(roleNames.map(asFlag)).size === roleNames.length
}, 'a role has a name that can’t be used. Use up to 40 letters, digits, - and _, each name once; no flag, and no word that means something else in /grant.')
