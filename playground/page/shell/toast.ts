// A short notice at the foot of the page that goes away by itself.
import { html } from 'htm/preact'
import { useCallback, useEffect, useState } from 'preact/hooks'

const SHOWN_MS = 6_000

export function useNotice() {
  const [notice, setNotice] = useState<{ readonly words: string }>()
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const notify = useCallback((words: string) => setNotice({ words }), [])
  return { notice, notify }
}

/** Always in the document: screen readers tell only what changes in a region they know. */
export function Toast({ notice }: { readonly notice: ReturnType<typeof useNotice>['notice'] }) {
  return html`
    <div class="s-toasts" role="status">${notice && html`<p class="s-toast">${notice.words}</p>`}</div>
  `
}
