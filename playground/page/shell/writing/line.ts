// The line in a message box: kept as a draft, and sent.
import { useState } from 'preact/hooks'
import { draftKey } from '../context/drafts.ts'
import { usePage } from '../context/page-context.ts'

export function useLine(channelId: string, threadTs: string | undefined) {
  const { state, drafts, act } = usePage()
  const key = draftKey(state.viewer.id, channelId, threadTs)
  const [, redraw] = useState({})
  const text = drafts.get(key) ?? ''

  const set = (line: string) => {
    drafts.set(key, line)
    redraw({})
  }

  return {
    text,
    set,
    send() {
      if (text.trim() === '') return
      set('')
      void act({ do: 'say', channelId, text, threadTs }).then((error) => {
        // What was not taken is given back, unless something else is being written by now.
        if (error !== undefined && !drafts.get(key)) set(text)
      })
    },
  }
}
