// How somebody gets to where they give their token: by a link to the page where there is one, else by the modal.
import type { ButtonFor } from './connect-first.ts'
import { createLinks, type Links } from './links.ts'
import { connectButton, connectLinkButton } from './render.ts'

export interface Ways {
  /** Undefined without a page. */
  readonly links: Links | undefined
  readonly buttonFor: ButtonFor
}

/** @param room.publicUrl - Where browsers reach the page; undefined when they do not. Without a last slash. */
export function createWays({
  publicUrl,
  ...room
}: Omit<Parameters<typeof createLinks>[0], 'publicUrl'> & { readonly publicUrl: string | undefined }): Ways {
  if (publicUrl === undefined) {
    return { links: undefined, buttonFor: async (_asker, waitingId) => connectButton(waitingId) }
  }
  const links = createLinks({ ...room, publicUrl })
  const buttonFor: ButtonFor = async (asker, waitingId) =>
    connectLinkButton(await links.mint(asker, waitingId))
  return { links, buttonFor }
}
