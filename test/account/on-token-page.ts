// Somebody at the token page: a browser as far as a form without scripts needs one.
import { expect } from 'vitest'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

/** What the bot believes its public address to be; its own port is only known later. */
const publicUrl = 'http://127.0.0.1:9'

export function openPublicWorld(options: WorldOptions = {}): Promise<World> {
  return openWorld({ isAliceConnected: false, ...options, env: { PUBLIC_URL: publicUrl, ...options.env } })
}

/** Where *Connect account* leads, as this test can reach it. */
export function linkIn(world: World, seen: SeenMessage | SeenModal): string {
  const url = seen.urlOf('Connect account')
  if (url === undefined) throw new Error(`no link in: ${seen.plain}`)
  return url.replace(/^.*(?=\/connect\/)/, world.url)
}

/** The message that asked to connect is taken away, once what waited has gone on. */
export async function isTakenAway(prompt: SeenMessage): Promise<void> {
  await expect.poll(() => prompt.message.isDeleted, { timeout: 30_000, interval: 5 }).toBe(true)
}

/** Somebody connects through the page, after whatever asked them to. */
export async function connectsAt(
  world: World,
  seen: SeenMessage | SeenModal,
  token: string,
): Promise<TokenTab> {
  return (await opensLink(linkIn(world, seen))).sends(token)
}

export interface TokenTab {
  readonly status: number
  readonly html: string
  /** The words of it. */
  readonly text: string
  readonly headers: Headers
  /** The form's own token; empty when there is no form. */
  readonly form: string
  /** Fills in the form and sends it, with the cookie that came with it. */
  sends(token: string, changes?: { form?: string; headers?: Record<string, string> }): Promise<TokenTab>
}

/** In a browser of its own, which keeps cookies. */
export function opensLink(link: string, init: RequestInit = {}): Promise<TokenTab> {
  return opens(link, init, new Map())
}

async function opens(
  link: string,
  init: RequestInit,
  cookiesBefore: ReadonlyMap<string, string>,
): Promise<TokenTab> {
  const jar = new Map(cookiesBefore)
  const kept = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(link, {
    ...init,
    headers: { cookie: kept, ...Object.fromEntries(new Headers(init.headers)) },
  })
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    jar.set(name, value)
  }
  const html = await response.text()
  const form = /name="form" value="([^"]*)"/.exec(html)?.[1] ?? ''
  return {
    status: response.status,
    html,
    text: wordsOf(html),
    headers: response.headers,
    form,
    sends: (token, changes = {}) =>
      opens(
        link,
        {
          method: 'POST',
          headers: changes.headers ?? {},
          body: new URLSearchParams({ form: changes.form ?? form, token }),
        },
        jar,
      ),
  }
}

function wordsOf(html: string): string {
  return (
    html
      .replace(/<style>[\s\S]*<\/style>/, '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
      // They keep a name's direction to itself, and show nothing.
      .replaceAll(/[\u2068\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
