// Rights that somebody's token was seen to have, from what the service answered with it. Data only.
import type { Evidence } from './recent.ts'

export interface Right {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isAllowed: boolean
  readonly of:
    | { readonly kind: 'read' }
    /** @property ks - Undefined when the token was tried without an alert. */
    | { readonly kind: 'read-alert'; readonly ks: string | undefined }
    | { readonly kind: 'grant'; readonly containerId: number }
}

export interface Rights {
  /** When the service said that it does not know the token, and nothing has worked with it since. */
  readonly refusedAt: number | undefined
  /** Newest first; of each container the newest alone. */
  readonly seen: readonly Right[]
}

/** @param evidence - Newest first. */
export function rightsIn(evidence: readonly Evidence[]): Rights {
  const [newest] = evidence
  const containers = new Set<number>()
  const seen = evidence.flatMap((one): Right[] => {
    const { at } = one
    switch (one.kind) {
      case 'read':
        return [{ at, isAllowed: true, of: { kind: 'read' } }]
      case 'not-read':
        return [{ at, isAllowed: false, of: { kind: 'read-alert', ks: one.ks } }]
      case 'granted':
      case 'not-granted': {
        const { containerId } = one
        if (containers.has(containerId)) return []
        containers.add(containerId)
        return [{ at, isAllowed: one.kind === 'granted', of: { kind: 'grant', containerId } }]
      }
      case 'refused':
        return []
      default:
        return one satisfies never
    }
  })
  return { refusedAt: newest?.kind === 'refused' ? newest.at : undefined, seen }
}
