// A thing of one workspace at a time: nobody can use it without saying which.
import { LRUCache } from 'lru-cache'

export interface PerWorkspace<T> {
  /** Cheap; nothing is looked up before it is used. @param workspaceId - As in `SlackUser`. */
  in(workspaceId: string): T
}

/** What is used least is made anew when it is needed again. */
const mostKept = 500

/** Made when it is first needed. It must hold nothing that has to last. */
export function perWorkspace<T extends object>(make: (workspaceId: string) => T): PerWorkspace<T> {
  const kept = new LRUCache<string, T>({ max: mostKept })
  return {
    in(workspaceId) {
      const known = kept.get(workspaceId)
      if (known !== undefined) return known
      const made = make(workspaceId)
      kept.set(workspaceId, made)
      return made
    },
  }
}
