// What happened: for each thing that a person did, the requests that followed.
import type { Happening } from '../page/state.ts'

export class Happenings {
  list(): readonly Happening[] {
    return []
  }
  async during(_what: string, work: () => Promise<unknown>): Promise<void> {
    await work()
  }
  onChange(_listener: (happening: Happening) => void): () => void {
    return () => {}
  }
}
