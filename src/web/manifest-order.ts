// What somebody asks of `npm run manifest`: the words after it. Pure.

export type ManifestOrder =
  | { readonly kind: 'print'; readonly as: 'yaml' | 'json' }
  | { readonly kind: 'validate' }
  | { readonly kind: 'problem'; readonly problem: string }

const orders: ReadonlyMap<string | undefined, ManifestOrder> = new Map([
  [undefined, { kind: 'print', as: 'yaml' }],
  ['--json', { kind: 'print', as: 'json' }],
  ['--validate', { kind: 'validate' }],
])

/** One word at most: what is not known is refused, not passed over. The words are not repeated: one may be a token. */
export function parseManifestOrder(words: readonly string[]): ManifestOrder {
  const order = words.length > 1 ? undefined : orders.get(words[0])
  return order ?? { kind: 'problem', problem }
}

const problem =
  'npm run manifest takes one of -- --json, which prints JSON, and -- --validate, which asks Slack. Alone, it prints YAML.'
