import { describe, expect, it } from 'vitest'
import { importedAtOnce, isRelative, targetOf, workspacePart } from './walls/imports.ts'
import { readIfThere, readManifests, readText } from './walls/repository.ts'

/** What most installations never use, and what takes longest to load. */
const SELDOM = [
  'better-auth',
  'pg',
  '@modelcontextprotocol/client',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@fastify/rate-limit',
  'yauzl',
]

describe('what a start loads', () => {
  it('[ARCH13] is without what most installations never use', () => {
    const { files, modules } = loadedBy('apps/holdfast/src/start.ts')
    expect(modules).toContain('fastify')
    expect(files.filter((file) => file.startsWith('packages/archive/'))).toEqual([])
    expect(modules.filter((name) => SELDOM.some((seldom) => name === seldom || name.startsWith(`${seldom}/`)))).toEqual(
      [],
    )
  })

  it('[ARCH13] is without the server where only the help is wanted', () => {
    const { files, modules } = loadedBy('apps/holdfast/src/main.ts')
    expect(modules).toContain('commander')
    expect(files).not.toContain('apps/holdfast/src/start.ts')
    expect(modules).not.toContain('fastify')
  })

  it('[ARCH13] sees imports over several lines, re-exports and mixed ones, and neither types nor calls', () => {
    const text = `import {\n  a,\n  type B,\n} from './a.ts'\nexport { c } from 'c'\nimport 'd'\nimport type { E } from 'e'\nconst f = import('f')\n`
    expect(importedAtOnce(text)).toEqual(['./a.ts', 'c', 'd'])
  })
})

/** The files of ours and the other modules that are loaded with a file. */
function loadedBy(first: string): { readonly files: readonly string[]; readonly modules: readonly string[] } {
  const entries = new Map(
    readManifests().flatMap(({ folder, exports }) =>
      exports.map(({ subpath, source }) => [`${folder}${subpath.slice(1)}`, source]),
    ),
  )
  const modules = new Set<string>()
  const files = new Set([first])
  for (const file of files) {
    for (const specifier of importedAtOnce(readText(file))) {
      const part = workspacePart(specifier)
      const target = isRelative(specifier)
        ? targetOf({ file, specifier })
        : part && entries.get(`${part.name}${part.subpath.slice(1)}`)
      if (target === undefined) modules.add(specifier)
      else if (readIfThere(target) !== undefined) files.add(target)
      else throw new Error(`${file} imports ${specifier}, and there is no ${target}`)
    }
  }
  return { files: [...files], modules: [...modules] }
}
