import { constants } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * A session as versions of opencode before 1.2 kept it: a file for its head, one for each message and one for each part,
 * in folders beside each other. Links are not followed. [CLI50]
 */
export async function* sessionInFiles(path: string): AsyncGenerator<Uint8Array> {
  const storage = dirname(dirname(dirname(path)))
  const text = await textOf(path)
  const info = jsonOf(text)
  if (info === null) {
    yield Buffer.from(text ?? '')
    return
  }
  const messages: object[] = []
  const folder = join(storage, 'message', basename(path, '.json'))
  for (const name of await namesIn(folder)) {
    const partFolder = join(storage, 'part', basename(name, '.json'))
    const parts: unknown[] = []
    for (const part of await namesIn(partFolder)) parts.push(jsonOf(await textOf(join(partFolder, part))))
    messages.push({ info: jsonOf(await textOf(join(folder, name))), parts })
  }
  yield Buffer.from(JSON.stringify({ info, messages }))
}

/** Their ids begin with the time: sorted by name they stand as they were made. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(unlessGone([]))
  return names.filter((name) => name.endsWith('.json')).toSorted()
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) }).catch(
    unlessGone(null),
  )
}

/** Null for what is no JSON: the import names it. */
function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function unlessGone<Value>(instead: Value): (error: unknown) => Value {
  return (error) => {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(String(error.code))
    )
      return instead
    throw error
  }
}
