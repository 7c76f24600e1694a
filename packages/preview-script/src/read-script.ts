import { readFile } from 'node:fs/promises'

/**
 * The script as one function expression, `(function (given) { … })`: it imports nothing and leaves no name behind. The
 * build puts it together from `inside`.
 *
 * @throws when it was not built.
 */
export async function readPreviewScript(): Promise<string> {
  const code = await readFile(new URL('../dist/preview-script.js', import.meta.url), 'utf8')
  return `(function (given) {${code}})`
}
