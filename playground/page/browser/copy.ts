// Puts a text into the clipboard.

/** Browsers can forbid it: whoever asked is told either way. */
export async function copy(text: string, notify: (words: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('Copied.')
  } catch {
    notify('The browser doesn’t allow it. Select the text and copy it yourself.')
  }
}
