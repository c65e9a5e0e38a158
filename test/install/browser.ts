// Somebody's browser, as far as installing goes: it keeps cookies as they ask to be kept, and follows links.
import { expect } from 'vitest'

export interface Page {
  readonly status: number
  readonly url: URL
  readonly html: string
  readonly headers: Headers
  /** Without the tags. */
  readonly text: string
  /** Where the link with these words leads. */
  link(words: string): string
}

interface Cookie {
  readonly value: string
  readonly path: string
  readonly until: number
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string) => text.replaceAll(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole)

function textOf(html: string): string {
  const inline = html.replaceAll(/<\/?(?:a|bdi|strong)\b[^>]*>/g, '')
  const bare = inline.replaceAll(/<(style|title)>[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
  return decoded(bare.replaceAll(/\s+/g, ' ')).trim()
}

export class Browser {
  /** Every address it was at, those it was sent on from too. */
  readonly history: string[] = []
  readonly #cookies = new Map<string, Cookie>()
  readonly #now: () => number
  readonly #hostOf: (url: URL) => string
  readonly #hidden: string

  /**
   * @param hostOf - Where a public address really is, such as `http://127.0.0.1:40123`.
   * @param hidden - The path that the proxy there takes away.
   */
  constructor(now: () => number, hostOf: (url: URL) => string, hidden: string) {
    this.#now = now
    this.#hostOf = hostOf
    this.#hidden = hidden
  }

  get cookies(): readonly string[] {
    return [...this.#cookies.values()].map(({ value }) => value)
  }

  /** Opens an address, and where it is sent on to. */
  async visit(address: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Page> {
    const url = new URL(address)
    this.history.push(url.href)
    const cookie = this.#cookiesFor(url)
    const path = url.pathname.startsWith(`${this.#hidden}/`)
      ? url.pathname.slice(this.#hidden.length)
      : url.pathname
    const response = await fetch(`${this.#hostOf(url)}${path}${url.search}`, {
      method,
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    })
    for (const kept of response.headers.getSetCookie()) this.#keep(url, kept)
    const location = response.headers.get('location')
    if (location !== null) return this.visit(new URL(location, url).href)
    const html = await response.text()
    const { status, headers } = response
    return {
      ...{ status, headers, url, html },
      text: textOf(html),
      link(words) {
        const found = [...html.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].find(
          ([, , text]) => text === words,
        )
        return new URL(decoded(found?.[1] ?? expect.fail(`no link “${words}”: ${html}`)), url).href
      },
    }
  }

  #cookiesFor(url: URL): string {
    return [...this.#cookies]
      .filter(([, { path, until }]) => url.pathname.startsWith(path) && until > this.#now())
      .filter(([name]) => name.startsWith(`${url.host} `))
      .map(([name, { value }]) => `${name.split(' ')[1]}=${value}`)
      .join('; ')
  }

  /** As a browser would on https: what is not bounded well enough fails the test. */
  #keep(url: URL, header: string): void {
    const [pair = '', ...bounds] = header.split('; ')
    const [name = '', value = ''] = pair.split('=')
    for (const bound of ['HttpOnly', 'Secure', 'SameSite=Lax']) expect(bounds).toContain(bound)
    const of = (what: string) => bounds.find((bound) => bound.startsWith(`${what}=`))?.slice(what.length + 1)
    const until = this.#now() + Number(of('Max-Age')) * 1000
    this.#cookies.set(`${url.host} ${name}`, { value, path: of('Path') ?? '/', until })
  }
}
