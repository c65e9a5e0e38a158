// Proof that Slack asks Bellhop for suggestions. By Socket Mode it always does. Over HTTP it does where the app's manifest
// names an address for that, which no method of Slack's tells: so a request that came is the proof, kept for a month.
import type { Log } from '../../log/log.ts'
import { inTime } from '../../work/under-way.ts'

/** How a field that can suggest is drawn. */
export interface FieldMode {
  /** `suggests`: as a menu that asks Bellhop. `typed`: as a text. */
  readonly kind: 'suggests' | 'typed'
  /** Whoever fills it in can have it the other way. */
  readonly canSwitch: boolean
}

export interface Suggesting {
  /** Of a form that is about to open. Never rejects, and is soon there. */
  mode(): Promise<FieldMode>
  /** A request for suggestions came, from Slack itself. Never rejects. */
  arrived(): Promise<void>
}

/** The part of `Once` that remembers it. */
interface Proofs {
  claim(workspaceId: string, key: string, withinMs: number): Promise<boolean>
  wasClaimed(workspaceId: string, key: string, withinMs: number): Promise<boolean>
}

/** The address is the app's, whichever workspace it is installed in. */
const wholeApp = ''
const proof = 'suggestions arrive'
const dayMs = 24 * 60 * 60_000
/** As long as the store keeps it: one that is used is renewed each day. */
const goodMs = 30 * dayMs
/** Whoever opens a form has three seconds for all of it. */
const askedMs = 500

/** @param room.always - By Socket Mode. */
export function createSuggesting(room: {
  readonly always: boolean
  readonly proofs: Proofs
  readonly log: Log
  readonly now: () => number
}): Suggesting {
  const { always, proofs, log, now } = room
  let arrivedAt = Number.NEGATIVE_INFINITY

  async function isProved(): Promise<boolean> {
    if (now() - arrivedAt < goodMs) return true
    try {
      return (await inTime(proofs.wasClaimed(wholeApp, proof, goodMs), askedMs)) ?? false
    } catch (error) {
      log.warn({ err: error }, 'could not find out whether Slack asks for suggestions')
      return false
    }
  }

  return {
    async mode() {
      if (always) return { kind: 'suggests', canSwitch: false }
      return { kind: (await isProved()) ? 'suggests' : 'typed', canSwitch: true }
    },
    async arrived() {
      if (always || Math.abs(now() - arrivedAt) < dayMs) return
      arrivedAt = now()
      try {
        await proofs.claim(wholeApp, proof, dayMs)
      } catch (error) {
        log.warn({ err: error }, 'could not keep that Slack asks for suggestions')
      }
    },
  }
}
