import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Whether a program is there: at its whole path, or by its name in a folder of the PATH. */
export function isOnPath(command: string, path: string): boolean {
  if (isAbsolute(command)) return isProgram(command)
  return path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, command)))
}

function isProgram(file: string): boolean {
  try {
    // In most folders it is not, and an error costs more than the look.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(file, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
