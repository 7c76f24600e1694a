import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'

/**
 * The text of a small file that is made once and read ever after; only its user can read it. It is there whole or not at
 * all, and of several who make it at once, one does. @throws whatever keeps it from being written or read.
 */
export async function madeOnce(path: string, make: () => string): Promise<string> {
  const known = await textOf(path)
  if (known !== null) return known
  const arriving = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(arriving, 'wx', 0o600)
    try {
      await file.writeFile(`${make()}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(arriving, path)
  } catch (error) {
    // Another process was faster: its text counts.
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(arriving, { force: true })
  }
  return (await textOf(path)) ?? ''
}

async function textOf(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
