import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { systemCode } from '../workspace/file-refusal.ts'

/** The first program of a name in the folders of a search path, or null. Folders that are not absolute are skipped. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(':').filter((entry) => entry.startsWith('/'))) {
    const path = `${folder}/${name}`
    if (await isProgram(path)) return path
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch (error) {
    if (systemCode(error) !== null) return false
    throw error
  }
}
