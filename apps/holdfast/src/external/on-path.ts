import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Whether a program is there: at its whole path, or by its name in a folder of the PATH. */
export function isOnPath(command: string, path: string): boolean {
  if (isAbsolute(command)) return isProgram(command)
  return path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, command)))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
