// The message box: messages, and commands with a hint of how they go on.
import { html } from 'htm/preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChannelState } from '../../state/state.ts'
import { Icon } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'
import { useLine } from './line.ts'
import { ShortcutsMenu } from './shortcuts-menu.ts'

/** Characters of one message, as the server takes them. */
const longestMessage = 40_000

interface MessageBoxProps {
  readonly channel: ChannelState
  readonly threadTs?: string
  /** What it is called. */
  readonly name: string
}

export function MessageBox({ channel, threadTs, name }: MessageBoxProps) {
  const { state } = usePage()
  const box = useRef<HTMLTextAreaElement>(null)
  const line = useLine(channel.id, threadTs)
  const command = state.commands.find(({ name }) => line.text.startsWith(`${name} `))
  const id = threadTs === undefined ? 's-box' : 's-thread-box'

  useLayoutEffect(() => {
    if (box.current) fitHeight(box.current)
  }, [line.text])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    // While a word is composed, as in Japanese, keys belong to it.
    if (key !== 'Enter' || event.isComposing || shiftKey || altKey || ctrlKey || metaKey) return
    event.preventDefault()
    line.send()
  }
  const onSend = () => {
    line.send()
    box.current?.focus()
  }

  return html`
    <div class="s-composer">
      <p class="s-hint" id=${`${id}-hint`}>
        ${command && html`<b>${command.name}</b> ${command.usageHint}`}
      </p>
      <div class="s-box">
        <${ShortcutsMenu} />
        <textarea
          class="s-input"
          ref=${box}
          rows="1"
          maxlength=${longestMessage}
          aria-label=${name}
          aria-describedby=${`${id}-hint`}
          placeholder=${name}
          autocomplete="off"
          value=${line.text}
          onInput=${({ currentTarget }: InputEvent & { currentTarget: HTMLTextAreaElement }) => line.set(currentTarget.value)}
          onKeyDown=${onKeyDown}
        ></textarea>
        <button
          type="button"
          class="s-send"
          aria-label="Send"
          title="Send"
          disabled=${line.text.trim() === ''}
          onClick=${onSend}
        >
          <${Icon} name="send" />
        </button>
      </div>
    </div>
  `
}

/** As high as its text; the style sheet says how high at most. */
function fitHeight(box: HTMLTextAreaElement): void {
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
