// The menu “Trouble”: bad days to order, so that a person can watch the bot cope.
import type { TroubleState } from '../page/state.ts'
import type { Player } from './scene.ts'

export class Troubles {
  list(_player: Player): readonly TroubleState[] {
    return []
  }
  async set(_id: string, _isOn: boolean, _player: Player): Promise<void> {}
  onChange(_listener: () => void): () => void {
    return () => {}
  }
}
