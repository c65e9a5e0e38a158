// Tokens in angle brackets, as mrkdwn and top-level text have them: `<@U1>`, `<!date^…>`, `<https://…|label>`.

export interface Token {
  readonly kind: 'user' | 'channel' | 'special' | 'link'
  /** What stands before the bar, with its sigil. */
  readonly target: string
  readonly label: string | undefined
  readonly raw: string
}

const TOKEN = /<([^<>]*)>/g

export function tokensOf(mrkdwn: string): Token[] {
  return [...mrkdwn.matchAll(TOKEN)].flatMap(([raw, inside = '']) => {
    const token = readToken(raw, inside)
    return token ? [token] : []
  })
}

/** What Slack would not understand in this mrkdwn, or undefined. */
export function malformedToken(mrkdwn: string): string | undefined {
  for (const [raw, inside = ''] of mrkdwn.matchAll(TOKEN)) {
    if (!readToken(raw, inside)) return raw
  }
  // A `>` by itself is a quote or an arrow and harmless; a `<` by itself opens a token that never ends.
  return mrkdwn.replace(TOKEN, '').includes('<') ? '<' : undefined
}

function readToken(raw: string, inside: string): Token | undefined {
  const bar = inside.indexOf('|')
  const target = bar < 0 ? inside : inside.slice(0, bar)
  const label = bar < 0 ? undefined : inside.slice(bar + 1)
  const token = (kind: Token['kind']): Token => ({ kind, target, label, raw })
  if (/^@[UW][A-Z0-9]+$/.test(target)) return token('user')
  if (/^#[CG][A-Z0-9]+$/.test(target)) return token('channel')
  if (/^!(channel|here|everyone)$/.test(target)) return token('special')
  if (/^!subteam\^S[A-Z0-9]+$/.test(target)) return token('special')
  // A date needs a format, and a fallback for clients that cannot show it.
  if (/^!date\^-?\d+\^[^^]+(\^https?:\/\/\S+)?$/.test(target))
    return label ? token('special') : undefined
  if (/^(https?:\/\/|mailto:|tel:|slack:\/\/)[!-~]+$/i.test(target)) return token('link')
  return undefined
}
