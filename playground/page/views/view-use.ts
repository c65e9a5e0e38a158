// The use of the controls in one view, and how its submission goes.
import { useRef, useState } from 'preact/hooks'
import type { Use } from '../blocks/base/use.ts'
import { usePage } from '../shell/context/page-context.ts'
import type { Act } from '../state/acts.ts'

/** @returns `problem`: why the last thing could not be done; `submissions`: how many have been answered. */
export function useView(viewId: string) {
  const { act } = usePage()
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [submissions, setSubmissions] = useState(0)
  const isUnderWay = useRef(false)
  const filled = useRef(Promise.resolve())
  const at = { kind: 'view', viewId } as const

  const run = async (doing: Act) => setProblem(await act(doing))

  const use: Use = {
    press: (control, optionValue) => run({ do: 'press', at, ...control, optionValue }),
    fill: (control, value) => {
      // One after the other: requests sent at once may arrive in any order.
      filled.current = filled.current.then(() => run({ do: 'fill', viewId, ...control, value }))
      return filled.current
    },
    suggest: (control, typed) => run({ do: 'suggest', viewId, ...control, typed }),
  }

  const submit = async () => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsSubmitting(true)
    await filled.current
    await run({ do: 'submit', viewId })
    isUnderWay.current = false
    setIsSubmitting(false)
    setSubmissions((count) => count + 1)
  }

  return { use, problem, isSubmitting, submissions, submit }
}
