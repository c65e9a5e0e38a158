// The scopes that an installation asks for: those of the manifest that `npm run manifest` prints.
import { readFileSync } from 'node:fs'
import { askedScopes, fillManifest } from './manifest.ts'

/** The optional ones too, each once. @param unfurlDomain - Undefined where links get no preview. */
export function manifestScopes(unfurlDomain: string | undefined): readonly string[] {
  const template = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8')
  return askedScopes(fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain }))
}
