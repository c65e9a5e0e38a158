// The line in a message box: kept as a draft, sent, and brought back.
import { useState } from 'preact/hooks'
import { type Drafts, draftKey } from '../context/drafts.ts'
import { usePage } from '../context/page-context.ts'

export interface Line {
  readonly text: string
  /** It was sent before, and is as it was. */
  readonly isRecalled: boolean
  set(text: string): void
  /** Steps through what was sent before; @returns False when there is nothing to step to. */
  recall(step: -1 | 1): boolean
  send(): void
}

export function useLine(channelId: string, threadTs: string | undefined): Line {
  const { state, drafts, act } = usePage()
  const { id: personId } = state.viewer
  const key = draftKey(personId, channelId, threadTs)
  const [, redraw] = useState({})
  const [recalled, setRecalled] = useState<number>()
  const text = drafts.draft(key)
  const sent = drafts.sentBy(personId)
  const isRecalled = recalled !== undefined && text !== '' && text === sent[recalled]

  const put = (line: string, at?: number) => {
    drafts.keep(key, line)
    setRecalled(at)
    redraw({})
  }

  return {
    text,
    isRecalled,
    set: put,
    recall(step) {
      if (text !== '' && !isRecalled) return false
      const at = (isRecalled ? recalled : sent.length) + step
      if (at < 0 || at > sent.length || (step > 0 && !isRecalled)) return false
      put(sent[at] ?? '', at)
      return true
    },
    send() {
      if (text.trim() === '') return
      drafts.addSent(personId, text)
      put('')
      void act({ do: 'say', channelId, text, threadTs }).then((error) => {
        // What was not taken is given back, unless something else is being written by now.
        if (error !== undefined && isEmpty(drafts, key)) put(text)
      })
    },
  }
}

function isEmpty(drafts: Drafts, key: string): boolean {
  return drafts.draft(key) === ''
}
