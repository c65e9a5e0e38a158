// Somebody at the token page: a browser as far as a form without scripts needs one.
import { expect } from 'vitest'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

/** What the bot believes its public address to be; its own port is only known later. */
const publicUrl = 'http://127.0.0.1:9'

export function openPublicWorld(options: WorldOptions = {}): Promise<World> {
  return openWorld({
    isAliceConnected: false,
    ...options,
    env: { PUBLIC_URL: publicUrl, ...options.env },
  })
}

/** Presses *Connect account* in a message: where the modal that it opens leads to. */
export async function linkAfter(
  world: World,
  person: World['bob'],
  prompt: SeenMessage,
): Promise<string> {
  await person.presses('Connect account', prompt)
  return linkIn(world, person, await person.seesModal('Connect account'))
}

/** Presses the link in the modal, as whoever follows it does: where it leads to, as this test can reach it. */
export async function linkIn(
  world: World,
  person: World['bob'],
  modal: SeenModal,
): Promise<string> {
  await person.presses('Connect account', modal)
  const url = modal.urlOf('Connect account')
  if (url === undefined) throw new Error(`no link in: ${modal.plain}`)
  return url.replace(/^.*(?=\/connect\/)/, world.url)
}

/** The message that asked to connect is taken away, once what waited has gone on. */
export async function isTakenAway(prompt: SeenMessage): Promise<void> {
  await expect.poll(() => prompt.message.isDeleted, { timeout: 30_000, interval: 5 }).toBe(true)
}

export interface TokenTab {
  readonly status: number
  readonly html: string
  /** The words of it. */
  readonly text: string
  readonly headers: Headers
  readonly hasForm: boolean
  /** Fills in the form and sends it. */
  sends(token: string): Promise<TokenTab>
}

export async function opensLink(link: string, init: RequestInit = {}): Promise<TokenTab> {
  const response = await fetch(link, { redirect: 'manual', ...init })
  const html = await response.text()
  return {
    status: response.status,
    html,
    text: wordsOf(html),
    headers: response.headers,
    hasForm: html.includes('<form'),
    sends: (token) => opensLink(link, { method: 'POST', body: new URLSearchParams({ token }) }),
  }
}

function wordsOf(html: string): string {
  return (
    html
      .replace(/<style>[\s\S]*<\/style>/, '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      // They keep a name's direction to itself, and show nothing.
      .replaceAll(/[\u2068\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
