// An unfurl as a person sees it beneath a link.
import { type Json, records } from '../model/json.ts'
import type { Member, Message, Unfurl } from '../model/model.ts'
import { plainAttachment } from '../text/plain-attachment.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { Seen } from './seen-controls.ts'

export class SeenUnfurl extends Seen {
  readonly unfurl: Unfurl
  /** The message that holds the link; undefined while it is being written. */
  readonly message: Message | undefined

  constructor(unfurl: Unfurl, message: Message | undefined, viewer: Member, workspace: Workspace) {
    super(workspace, viewer)
    this.unfurl = unfurl
    this.message = message
  }

  get url(): string {
    return this.unfurl.url
  }

  get blocks(): readonly Json[] {
    return records(this.unfurl.attachment.blocks)
  }

  /** The whole of it as it reads. */
  get plain(): string {
    return plainAttachment(this.unfurl.attachment, this.workspace)
  }
}
