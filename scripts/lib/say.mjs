/** Something a person can put right; it is shown as its message, without a stack. */
export class SetupError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode) {
    super(message)
    this.name = 'SetupError'
    this.exitCode = exitCode
  }
}

/** Writes one line of progress to stderr, because stdout belongs to the program that is started. */
export function say(line) {
  process.stderr.write(`holdfast: ${line}\n`)
}

/** Runs a script's main function and ends the process with the number it returns. */
export async function runMain(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say(error.message)
    process.exitCode = error.exitCode
  }
}
