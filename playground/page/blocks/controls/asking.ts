// Hooks: a control that asks before it acts, and one that shows that it is under way.
import { html } from 'htm/preact'
import { useRef, useState } from 'preact/hooks'
import { isRecord } from '../../../slack/model/json.ts'
import type { ControlId } from '../../state/acts.ts'
import type { ElementProps } from '../base/block.ts'
import type { Use } from '../base/use.ts'
import { ConfirmDialog } from './confirm.ts'

/** `ask` runs what it is given: at once, or after a yes where the element has a confirmation. */
export function useAsking({ element, given }: ElementProps) {
  const [waiting, setWaiting] = useState<{ readonly go: () => void } | undefined>(undefined)
  const { confirm } = element
  const ask = (go: () => void) => (isRecord(confirm) ? setWaiting({ go }) : go())
  const onAnswer = (yes: boolean) => {
    setWaiting(undefined)
    if (yes) waiting?.go()
  }
  const dialog =
    waiting &&
    html`<${ConfirmDialog} confirm=${confirm} names=${given.names} onAnswer=${onAnswer} />`
  return { ask, dialog }
}

/** Presses a button, once at a time. */
export function usePressing(use: Use | undefined, control: ControlId) {
  const [isBusy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  const press = async (optionValue?: string) => {
    if (use === undefined || isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    try {
      await use.press(control, optionValue)
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { isBusy, press }
}
