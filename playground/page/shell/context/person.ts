// People, in words.
import type { PersonState } from '../../state/state.ts'

export function firstName({ realName, name }: PersonState): string {
  return realName.split(' ')[0] ?? name
}
