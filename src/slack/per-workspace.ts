// What is of one workspace at a time: nobody can use it without saying which.

export interface PerWorkspace<T> {
  /** Cheap; nothing is looked up before it is used. @param workspaceId - As in `SlackUser`. */
  in(workspaceId: string): T
}
