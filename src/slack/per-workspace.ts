// A thing of one workspace at a time: nobody can use it without saying which.

export interface PerWorkspace<T> {
  /**
   * Made anew each time, which costs less than a microsecond: it holds nothing that has to last, and nothing is looked up
   * before it is used.
   * @param workspaceId - As in `SlackUser`.
   */
  in(workspaceId: string): T
}
