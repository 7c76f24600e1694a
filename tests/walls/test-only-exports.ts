import { posix } from 'node:path'
import { maskCode } from './code-mask.ts'
import { isRelative, targetOf, workspacePart } from './imports.ts'
import type { Manifest } from './manifest.ts'
import { isShipped, type SourceFile } from './source-file.ts'

/** What is there for tests: a package, and what packages offer to the tests of others. */
const FOR_TESTS = /^packages\/(?:conformance\/|[^/]+\/src\/testing(?:\/|\.ts$))/

const DECLARED = /^export (?:abstract )?(?:async )?(?:function\*?|const|class) (\w+)/gm
const LISTED = /^(?:import|export)\s+(?:type\s+)?\{([^{}]*)\}\s*from\s*'([^']+)'/gm
/** What is imported as a whole may use every name of it. */
const AS_A_WHOLE = /\bimport\(\s*'([^']+)'\s*\)|^import\s+\*\s+as\s+\w+\s+from\s*'([^']+)'/gm

/**
 * Exports that nothing in the product uses, each with its reason. One that is used by now may go from here at any time.
 */
export const FOR_OTHERS: Readonly<Record<string, string>> = {
  'apps/holdfast/src/main.ts main': 'the program, which bin/ starts by its built file',
  'packages/context/src/sent/boundaries.ts boundariesBetween':
    'says of two requests what the programs over corpora and the simulation ask',
  'packages/context/src/window/limits.ts limitProblems': 'is asked when limits are set',
  'packages/conversation/src/projections/active-path.ts entriesOnPath':
    'for who reads a log without the engine (docs/embed.md)',
  'packages/conversation/src/settings/settings-over.ts settingsOfConversation':
    'says what holds in one conversation, for who shows its settings',
  'packages/engine/src/embed/embedded-engine.ts createEngine': 'for programs that embed the engine (docs/embed.md)',
  'packages/store/src/memory/memory-store.ts createMemoryStore': 'for programs that embed the engine and keep nothing',
  'packages/tool/src/tool-registry.ts createToolRegistry': 'for programs that embed the engine (docs/embed.md)',
}

/**
 * [ARCH23] Exported values that neither their own file nor another shipped one uses: nothing but tests holds them up.
 * Each as its file and its name.
 */
export function testOnlyExports(files: readonly SourceFile[], manifests: readonly Manifest[]): string[] {
  const shipped = files.filter(({ path }) => isShipped(path) && !FOR_TESTS.test(path))
  const offered = new Map(
    manifests.flatMap(({ folder, exports }) => exports.map(({ subpath, source }) => [`${folder} ${subpath}`, source])),
  )
  const targetFrom = ({ path }: SourceFile, specifier: string): string => {
    if (isRelative(specifier)) return targetOf({ file: path, specifier })
    const part = workspacePart(specifier)
    return part === undefined ? '' : (offered.get(`${part.name} ${part.subpath}`) ?? '')
  }
  const whole = new Set(
    shipped.flatMap((file) =>
      [...file.text.matchAll(AS_A_WHOLE)].map(([, later, all]) => targetFrom(file, later ?? all ?? '')),
    ),
  )
  const passedOn = new Map<string, string>()
  const used = new Set<string>()
  for (const file of shipped) {
    for (const [, list = '', specifier = ''] of file.text.matchAll(LISTED)) {
      for (const { name, alias } of namesOf(list)) {
        const place = placeOf(targetFrom(file, specifier), name)
        if (isIndex(file.path)) passedOn.set(placeOf(file.path, alias), place)
        else used.add(place)
      }
    }
  }
  const isUsed = (place: string): boolean => used.has(place) || whole.has(fileOf(place))
  for (const [place, from] of passedOn) if (isUsed(place)) used.add(from)
  return shipped
    .filter(({ path }) => !isIndex(path))
    .flatMap(({ path, text }) => {
      const mask = maskCode(text)
      return declaredIn(text)
        .filter((name) => !isNamedAgain(mask, name))
        .map((name) => placeOf(path, name))
    })
    .filter((place) => !isUsed(place))
}

/** Whether code names something beside its declaration. */
function isNamedAgain(mask: string, name: string): boolean {
  return [...mask.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1
}

/** The values that a file exports. A schema that is exported with the type of its name is what its type is. */
function declaredIn(text: string): string[] {
  return [...text.matchAll(DECLARED)]
    .map(([, name = '']) => name)
    .filter((name) => !new RegExp(`^export type ${name}\\b`, 'm').test(text))
}

function namesOf(list: string): { readonly name: string; readonly alias: string }[] {
  return list.split(',').flatMap((item) => {
    const [name = '', alias] = item
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)
    return name === '' ? [] : [{ name, alias: alias ?? name }]
  })
}

function placeOf(path: string, name: string): string {
  return `${path} ${name}`
}

function fileOf(place: string): string {
  return place.split(' ')[0] ?? ''
}

function isIndex(path: string): boolean {
  return posix.basename(path) === 'index.ts'
}
