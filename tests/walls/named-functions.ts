import type { SourceFile } from './source-file.ts'

/** A function of an act, as docs/ARCHITECTURE.md names it. */
export interface NamedFunction {
  readonly act: string
  readonly path: string
  readonly name: string
}

/** The acts of the drawing under "Where it is made", each with its functions in their order. */
export function namedFunctionsOf(page: string): NamedFunction[] {
  const drawn = /## Where it is made\n[^`]*```text\n([\s\S]*?)\n```/.exec(page)?.[1] ?? ''
  return drawn.split('\n\n').flatMap((tree) => {
    const [act = '', ...lines] = tree.split('\n')
    return lines.map((line) => {
      const [path = '', name = ''] = line.trim().split(/\s+/)
      return { act, path, name }
    })
  })
}

/** [ARCH24] Functions that are named and are not in the file in which they are said to be. */
export function namedFunctionOffences(named: readonly NamedFunction[], files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return named
    .filter(({ path, name }) => !isMadeIn(texts.get(path) ?? '', name))
    .map(({ act, path, name }) => `docs/ARCHITECTURE.md, ${act}: ${path} makes no function ${name}`)
}

function isMadeIn(text: string, name: string): boolean {
  return /^\w+$/.test(name) && new RegExp(`\\bfunction\\*? ${name}\\b`).test(text)
}
