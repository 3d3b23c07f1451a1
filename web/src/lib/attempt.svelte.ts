// Something that a page asks the server to do: whether it is under way, and what to tell the player if it failed.

export class Attempt {
  isRunning = $state(false)
  /** The message of the last failure, empty if there was none. */
  problem = $state('')

  async run(action: () => Promise<unknown>): Promise<void> {
    this.isRunning = true
    this.problem = ''
    await action().catch((failure: Error) => (this.problem = failure.message))
    this.isRunning = false
  }
}
