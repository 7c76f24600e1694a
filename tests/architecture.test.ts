import { describe, expect, it } from 'vitest'
import { maskCode } from './walls/code-mask.ts'
import { cycleOffences } from './walls/cycles.ts'
import { engineOffences, environmentOffences, purityOffences } from './walls/effects.ts'
import {
  brokenThrowsOffences,
  exportOffences,
  leaningCommentOffences,
  lengthOffences,
  literalSpreadOffences,
  ORCHESTRATORS,
} from './walls/file-shape.ts'
import {
  crowdedFolderOffences,
  longFunctionOffences,
  manyParametersOffences,
  measuredFunctions,
} from './walls/function-shape.ts'
import { importsOf } from './walls/imports.ts'
import { AHEAD, dependencyOffences, type Manifest } from './walls/manifest.ts'
import { modeOffences } from './walls/modes.ts'
import { namedFunctionOffences, namedFunctionsOf } from './walls/named-functions.ts'
import { CROWDED_FOLDERS, LONG_FUNCTIONS, MANY_PARAMETERS } from './walls/over-limits.ts'
import { ARROWS, arrowOffences, mayImport, reachInOffences } from './walls/package-arrows.ts'
import { parameterDefaultOffences } from './walls/parameter-defaults.ts'
import { givenReadmeOffences, readmeExample, readmeOffences } from './walls/readmes.ts'
import { find, isThere, readIfThere, readManifests, readSources, readStyles, readText } from './walls/repository.ts'
import { ROOMS, roomOffences } from './walls/room-arrows.ts'
import { roomSentenceOffences } from './walls/room-sentences.ts'
import { slowPatternOffences } from './walls/slow-patterns.ts'
import { isShipped, type SourceFile } from './walls/source-file.ts'
import { FOR_OTHERS, testOnlyExports } from './walls/test-only-exports.ts'

const sources = readSources()
const manifests = readManifests()

function file(path: string, text: string): SourceFile {
  return { path, text }
}

function exportsOf(all: readonly Manifest[]): Map<string, string[]> {
  return new Map(all.map(({ folder, exports }) => [folder, exports.map(({ subpath }) => subpath)]))
}

/** What stands at either end of an arrow of the first drawing. */
function drawnPackages(page: string): string[] {
  const drawing = page.split('```')[1] ?? ''
  const ends = [/([a-z-]+(?:, [a-z-]+)*)\s*──/g, /──► ([a-z-]+(?:, [a-z-]+)*)/g].flatMap((pattern) =>
    [...drawing.matchAll(pattern)].flatMap(([, names = '']) => names.split(', ')),
  )
  return [...new Set(ends)].filter((name) => name !== 'every')
}

/** The packages of the table. */
function toldPackages(page: string): string[] {
  const table = page.split('\n').filter((line) => line.startsWith('| `'))
  return table.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name))
}

describe('the real tree', () => {
  it('[ARCH1] has imports between packages only along the arrows', () => {
    expect(arrowOffences(sources)).toEqual([])
  })

  it('[ARCH1] has a row for every package that exists', () => {
    expect(manifests.map(({ folder }) => folder).filter((name) => name !== 'holdfast' && !(name in ARROWS))).toEqual([])
  })

  it('[ARCH1] has a package for every row, and is drawn and told as it is', () => {
    const packages = manifests.map(({ folder }) => folder)
    expect(Object.keys(ARROWS).filter((name) => !packages.includes(name))).toEqual([])
    const page = readText('docs/ARCHITECTURE.md')
    expect(drawnPackages(page).filter((name) => !packages.includes(name))).toEqual([])
    expect(Object.keys(ARROWS).filter((name) => !drawnPackages(page).includes(name) && name !== 'conformance')).toEqual(
      [],
    )
    expect(toldPackages(page).toSorted()).toEqual(
      packages.filter((name) => !['holdfast', 'web'].includes(name)).toSorted(),
    )
  })

  it('[ARCH2] has imports of other packages only by their names', () => {
    expect(reachInOffences(sources, exportsOf(manifests))).toEqual([])
  })

  it('[ARCH3] declares the packages that it imports, and no others', () => {
    expect(dependencyOffences(sources, manifests, AHEAD)).toEqual([])
  })

  it('[ARCH4] has no effects in conversation, protocol, context and the root of provider', () => {
    expect(purityOffences(sources)).toEqual([])
  })

  it('[ARCH5] has no time, timer, chance or Node in the engine', () => {
    expect(engineOffences(sources)).toEqual([])
  })

  it('[ARCH6] reads the environment in one file', () => {
    expect(environmentOffences(sources)).toEqual([])
  })

  it('[ARCH7] has no circle of imports', () => {
    expect(cycleOffences(sources)).toEqual([])
  })

  it('[ARCH8] has no file and no style sheet that is too long', () => {
    expect(lengthOffences([...sources, ...readStyles()], ORCHESTRATORS)).toEqual([])
  })

  it('[ARCH14] has imports between the rooms of a folder only downwards', () => {
    expect(roomOffences(sources, ROOMS)).toEqual([])
  })

  it('[ARCH15] spreads no object literal', () => {
    expect(literalSpreadOffences(sources)).toEqual([])
  })

  it('[ARCH19] has no comment that leans on the one before it', () => {
    expect(leaningCommentOffences(sources)).toEqual([])
  })

  it('[ARCH19] has no star among the classes of a @throws', () => {
    expect(brokenThrowsOffences(sources.filter(({ path }) => isShipped(path)))).toEqual([])
  })

  it('[ARCH21] has no default of a parameter', () => {
    expect(parameterDefaultOffences(sources)).toEqual([])
  })

  it('[ARCH26] has crowded folders, long functions and many parameters only where a list says so, and no list says more', () => {
    const functions = measuredFunctions(sources)
    expect(crowdedFolderOffences(sources, CROWDED_FOLDERS)).toEqual([])
    expect(longFunctionOffences(functions, LONG_FUNCTIONS)).toEqual([])
    expect(manyParametersOffences(functions, MANY_PARAMETERS)).toEqual([])
  })

  it('[WIN11] says in one place what a mode is where a conversation does not', () => {
    expect(modeOffences(sources)).toEqual([])
    const text = "const mode = settings.permissionMode ?? 'ask'"
    expect(modeOffences([file('apps/web/src/a.ts', text)])).toHaveLength(1)
  })

  it('[SEC28] has no regular expression that takes more than linear time', () => {
    expect(slowPatternOffences(sources)).toEqual([])
  })

  it('[ARCH23] exports nothing that tests alone use, but for those outside', () => {
    expect(testOnlyExports(sources, manifests).filter((place) => !Object.hasOwn(FOR_OTHERS, place))).toEqual([])
  })

  it('[ARCH9] has no star export, no default export, and index files that only list names', () => {
    expect(exportOffences(sources)).toEqual([])
  })

  it('[ARCH1] is read whole: the files of every begun package are among the sources', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['packages/conversation/src/index.ts', 'packages/conversation/src/testing/index.ts']),
    )
  })
})

describe('the time of a regular expression', () => {
  const isSlow = (pattern: string): boolean =>
    slowPatternOffences([file('packages/client/src/a.ts', `export const it = ${pattern}`)]).length > 0

  it('[SEC28] is seen to be more than linear without an anchor in front, in a choice, and between two repetitions', () => {
    expect(
      slowPatternOffences([file('packages/client/src/a.ts', "const a = 1\nconst b = text.replace(/ +$/, '')")]),
    ).toEqual([
      'packages/client/src/a.ts:2: / +$/ takes more than linear time (its repetition begins anew at each character)',
    ])
    for (const pattern of ['/[.,]+$/g', '/^-+|-+$/g', '/\\s*,/', '/a+b/', '/^(?:a+)+$/', '/^\\w+\\d*$/'])
      expect([pattern, isSlow(pattern)]).toEqual([pattern, true])
  })

  it('[SEC28] is linear behind an anchor, where it begins at one place only, and where it is bounded', () => {
    for (const pattern of ['/^ +$/', '/(?<! ) +$/', '/\\s+/g', '/a{1,20}b/', '/^[a-z]+:/', '/"[^"]*/'])
      expect([pattern, isSlow(pattern)]).toEqual([pattern, false])
  })
})

describe('the arrows', () => {
  it('[ARCH1] sees an import against the arrows, also of a type, a subpath, or inside a call', () => {
    for (const statement of [
      "import { createEngine } from '@holdfast/engine'",
      "import type { Engine } from '@holdfast/engine'",
      "export { createEngine } from '@holdfast/engine/testing'",
      "const engine = await import('@holdfast/engine')",
      "type Engine = import('@holdfast/engine').Engine",
    ]) {
      expect(arrowOffences([file('packages/client/src/a.ts', statement)])).toEqual([
        'packages/client/src/a.ts: client may not import engine',
      ])
    }
  })

  it('[ARCH1] sees a package without a row', () => {
    expect(arrowOffences([file('packages/helpers/src/a.ts', '')])).toHaveLength(1)
  })

  it('[ARCH1] lets a package import what its arrows reach, and the composition root everything', () => {
    expect([...mayImport('server')].sort()).toEqual([
      'archive',
      'context',
      'conversation',
      'engine',
      'preview-source',
      'protocol',
      'provider',
      'tool',
    ])
    const all = Object.keys(ARROWS).map((name) => `import '@holdfast/${name}'`)
    expect(arrowOffences([file('apps/holdfast/src/compose.ts', all.join('\n'))])).toEqual([])
  })

  it('[ARCH1] reads no import in a comment or a string', () => {
    const text =
      "// import '@holdfast/engine'\nconst text = \"import '@holdfast/engine'\"\n/* from '@holdfast/engine' */"
    expect(importsOf(file('packages/client/src/a.ts', text))).toEqual([])
  })

  it('[ARCH2] sees a path out of the package, a path into a package, and an export that does not exist', () => {
    const exported = new Map([['engine', ['.', './testing']]])
    const offencesOf = (path: string, specifier: string) =>
      reachInOffences([file(path, `import { a } from '${specifier}'`)], exported)
    expect(offencesOf('packages/server/src/a.ts', '../../engine/src/engine.ts')).toHaveLength(1)
    expect(offencesOf('packages/server/src/a.ts', '@holdfast/engine/src/engine.ts')).toHaveLength(1)
    expect(offencesOf('tests/a.test.ts', '../packages/engine/src/api/engine.ts')).toHaveLength(1)
    expect(offencesOf('packages/engine/src/a.ts', '@holdfast/engine')).toHaveLength(1)
    expect(offencesOf('packages/server/src/a.ts', '@holdfast/engine/testing')).toEqual([])
    expect(offencesOf('packages/server/tests/a.test.ts', '../src/a.ts')).toEqual([])
  })

  it('[ARCH3] sees a dependency that is not declared, not used, or no longer ahead of its code', () => {
    const manifest = { folder: 'server', exports: [], dependencies: ['protocol'], devDependencies: [] }
    const importing = (names: readonly string[]) => [
      file('packages/server/src/a.ts', names.map((name) => `import '@holdfast/${name}'`).join('\n')),
    ]
    expect(dependencyOffences(importing(['protocol', 'engine']), [manifest], {})).toEqual([
      'server/package.json: engine is imported and is not in dependencies',
    ])
    expect(dependencyOffences(importing([]), [manifest], {})).toEqual([
      'server/package.json: protocol is in dependencies and is not imported',
    ])
    expect(dependencyOffences(importing(['protocol']), [manifest], { server: ['protocol'] })).toEqual([
      'server/package.json: protocol is imported now: take it out of AHEAD',
    ])
    const test = file('packages/server/tests/a.test.ts', "import '@holdfast/store'")
    expect(dependencyOffences([...importing(['protocol']), test], [manifest], {})).toEqual([
      'server/package.json: store is imported by tests and is not in devDependencies',
    ])
  })
})

describe('purity', () => {
  const effects = [
    'const at = Date.now()',
    'const at = new Date()',
    'const at = new Date',
    'const at = performance.now()',
    'setTimeout(go, 5)',
    'setInterval(go, 5)',
    'setImmediate(go)',
    'queueMicrotask(go)',
    'const signal = AbortSignal.timeout(5)',
    'const chance = Math.random()',
    'const id = crypto.randomUUID()',
    "import { randomUUID } from 'node:crypto'",
    "import { readFileSync } from 'fs'",
  ]
  const more = [
    "console.log('here')",
    'const home = process.env.HOME',
    "const answer = await fetch('https://example.org')",
    'const now = globalThis.Date.now()',
    'const text = at.toLocaleString()',
    'names.sort((a, b) => a.localeCompare(b))',
    'const text = `${Date.now()}`',
  ]

  it.each([...effects, ...more])('[ARCH4] sees the effect in: %s', (text) => {
    for (const place of ['conversation', 'protocol', 'context', 'provider']) {
      expect(purityOffences([file(`packages/${place}/src/a.ts`, text)])).not.toEqual([])
    }
  })

  it('[ARCH4] sees no effect in names, comments, strings, or a date made from a number', () => {
    const text = [
      '// Date.now() would be wrong here',
      "const text = 'process.env, fetch( and console.log'",
      'const at = new Date(entry.at)',
      'const one = entry.process + run.crypto.fetch(1)',
      'const pattern = /console.log/',
    ].join('\n')
    expect(purityOffences([file('packages/context/src/a.ts', text)])).toEqual([])
  })

  it('[ARCH4] lets testing suites use Node and the runner, but not the clock', () => {
    const path = 'packages/conversation/src/testing/a.ts'
    expect(purityOffences([file(path, "import { it } from 'vitest'\nimport 'node:fs'")])).toEqual([])
    expect(purityOffences([file(path, 'const at = Date.now()')])).toHaveLength(1)
    expect(purityOffences([file('packages/conversation/src/a.ts', "import { it } from 'vitest'")])).toHaveLength(1)
  })

  it('[ARCH4] lets models have effects and keeps them out of the root of provider', () => {
    expect(purityOffences([file('packages/provider/src/demo/a.ts', 'setTimeout(go, 5)')])).toEqual([])
    expect(purityOffences([file('packages/provider/src/a.ts', "import { demo } from './demo/a.ts'")])).toHaveLength(1)
  })

  it.each(effects)('[ARCH5] sees in the engine: %s', (text) => {
    expect(engineOffences([file('packages/engine/src/a.ts', text)])).not.toEqual([])
    expect(engineOffences([file('packages/engine/src/testing/a.ts', text)])).toEqual([])
  })

  it('[ARCH6] sees the environment read outside the one file for it', () => {
    for (const text of [
      'const url = process.env.HOLDFAST_DATABASE_URL',
      "const url = process['env'].HOLDFAST_DATABASE_URL",
      'const { env } = process',
      "import { env } from 'node:process'",
    ]) {
      expect(environmentOffences([file('packages/store/src/a.ts', text)])).toHaveLength(1)
      expect(environmentOffences([file('apps/holdfast/src/main.ts', text)])).toHaveLength(1)
    }
    expect(environmentOffences([file('apps/holdfast/src/config.ts', 'const { env } = process')])).toEqual([])
  })
})

describe('the shape of files', () => {
  it('[ARCH7] sees a circle, also one that only types make, and names it once', () => {
    const circle = [
      file('packages/engine/src/a.ts', "import { b } from './b.ts'"),
      file('packages/engine/src/b.ts', "import type { C } from './deep/c.ts'"),
      file('packages/engine/src/deep/c.ts', "export type { A } from '../a.ts'"),
    ]
    expect(cycleOffences(circle)).toEqual([
      'packages/engine/src/a.ts -> packages/engine/src/b.ts -> packages/engine/src/deep/c.ts -> packages/engine/src/a.ts',
    ])
    expect(cycleOffences(circle.slice(0, 2))).toEqual([])
  })

  it('[ARCH8] sees a file of 601 lines, and an orchestrator of 301 or one that is gone', () => {
    const path = 'packages/engine/src/a.ts'
    const lines = (count: number) => file(path, 'a\n'.repeat(count))
    expect(lengthOffences([lines(600)], [])).toEqual([])
    expect(lengthOffences([lines(601)], [])).toHaveLength(1)
    expect(lengthOffences([lines(300)], [path])).toEqual([])
    expect(lengthOffences([lines(301)], [path])).toHaveLength(1)
    expect(lengthOffences([], [path])).toHaveLength(1)
  })

  it('[ARCH14] sees an import into a room above, a room without a place, and a place without a room', () => {
    const rooms = { 'packages/engine/src': ['run', 'log'] }
    const run = file('packages/engine/src/run/a.ts', "import { b } from '../log/b.ts'\nimport { c } from './c.ts'")
    const log = file('packages/engine/src/log/b.ts', '')
    expect(roomOffences([run, log], rooms)).toEqual([])
    const climbs = [
      file('packages/engine/src/log/b.ts', "import type { A } from '../run/a.ts'"),
      file('packages/engine/src/log/b.ts', "import { create } from '../create.ts'"),
    ]
    for (const climb of climbs) expect(roomOffences([run, climb], rooms)).toHaveLength(1)
    expect(roomOffences([run, log, file('packages/engine/src/attic/a.ts', '')], rooms)).toEqual([
      'packages/engine/src/attic: has no place in ROOMS',
    ])
    expect(roomOffences([run], rooms)).toEqual(['packages/engine/src/log: has a place in ROOMS and no files'])
  })

  it('[ARCH15] sees a literal that is spread, in code and in markup, and none in comments, parameters or conditions', () => {
    for (const text of ['const a = { ...{ b, c } }', 'const a = <A {...{ b, c }} />', 'call({ ...{\n  b } })']) {
      expect(literalSpreadOffences([file('packages/engine/src/a.ts', text)])).toHaveLength(1)
    }
    const fine = '// ...{ a }\nconst a = { ...b, ...(c ? { d } : {}) }\nfunction e(...f: string[]) {}'
    expect(literalSpreadOffences([file('packages/engine/src/a.ts', fine)])).toEqual([])
  })

  it('[ARCH19] sees comments that begin with what stands before them', () => {
    for (const words of ['The same, later.', 'The same for two.', 'Also this.', '… and that.', 'Makes it.'])
      expect(leaningCommentOffences([file('packages/engine/src/a.ts', `/** ${words} */`)]), words).toHaveLength(1)
    const fine = '/** The same bytes again. */\n// Makes items.'
    expect(leaningCommentOffences([file('packages/engine/src/a.ts', fine)])).toEqual([])
  })

  it('[ARCH19] sees a star among the classes of a @throws, and none behind them', () => {
    const seen = (text: string) => brokenThrowsOffences([file('packages/engine/src/a.ts', text)])
    expect(seen('/** @throws {AError | *   BError} then. */')).toHaveLength(1)
    expect(seen('/**\n * @throws {AError |\n *   BError}\n */')).toEqual([
      'packages/engine/src/a.ts:2: a @throws has a star among its classes',
    ])
    expect(seen('/** @throws {AError | BError} for two * three. */')).toEqual([])
  })

  it('[ARCH26] sees a folder of 31 files, a function of 121 lines, one of four parameters, and what is listed for nothing', () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => file(`packages/a/src/b/${index}.ts`, ''))
    expect(crowdedFolderOffences(files(30), [])).toEqual([])
    expect(crowdedFolderOffences(files(31), [])).toEqual(['packages/a/src/b: 31 files, 30 at most: it needs rooms'])
    expect(crowdedFolderOffences(files(31), ['packages/a/src/b'])).toEqual([])
    expect(crowdedFolderOffences(files(30), ['packages/a/src/b'])).toHaveLength(1)
    const measured = (text: string) => measuredFunctions([file('packages/a/src/a.ts', text)])
    const lines = (count: number) => measured(`export function long() {${'\n'.repeat(count - 1)}}`)
    const place = 'packages/a/src/a.ts long'
    expect(longFunctionOffences(lines(120), [])).toEqual([])
    expect(longFunctionOffences(lines(121), [])).toEqual([`${place}: 121 lines, 120 at most`])
    expect(longFunctionOffences(lines(121), [place])).toEqual([])
    expect(longFunctionOffences(lines(120), [place])).toHaveLength(1)
    const four = measured('function outer() { function four(a: A, b: B, { c, d }: C, ...e: D[]) {} }')
    expect(manyParametersOffences(four, [])).toEqual(['packages/a/src/a.ts four: 4 parameters, 3 at most'])
    expect(manyParametersOffences(measured('function three(a: A, b: B, c: C) {}'), [])).toEqual([])
  })

  it('[ARCH21] sees a default of a parameter and of what it or the body takes apart, and none of others, a type or a call', () => {
    const path = 'packages/engine/src/a.tsx'
    for (const text of [
      'function a(b = 1) {}',
      'const a = (b: number, c: string | null = null) => b',
      'const a = ({ b = 1 }: C) => b',
      'const a = async ({ d: { b = 1 } }: C) => b',
      "const a = names.map(([, b = '']) => b)",
      'class A { b({ c } = {}) {} }',
      'const a = { b({ c } = {}) {} }',
      'export function View({ wide = false }: Props) { return <i /> }',
      'const a = (b: C, d = () => 1) => b',
      'function a(b: C) { const { d = 1 } = b; return d }',
      'const a = (b: C) => { const [, e = 1] = b; return e }',
      'function a({ b }: C) { return () => { const { d: { e = 1 } } = b; return e } }',
      'class A { constructor(...b: C) { const [d = 1] = b } }',
    ]) {
      expect(parameterDefaultOffences([file(path, text)])).toHaveLength(1)
    }
    const fine =
      "function a(b?: number) { const [c = ''] = [b]; let d = 1; d = 2; return <A b={c} /> }\nfunction e<T = string>(f: (g: T) => void) {}"
    expect(parameterDefaultOffences([file(path, fine)])).toEqual([])
  })

  it('[ARCH23] sees an export that only a test imports, and none that its own file, a package or a thread uses', () => {
    const one = file('packages/engine/src/a.ts', 'export function a() {}\nexport const b = 1\nexport const c = b')
    const index = file('packages/engine/src/index.ts', "export { a, c } from './a.ts'")
    const test = file('packages/engine/tests/a.test.ts', "import { a, c } from '@holdfast/engine'")
    const manifest = {
      folder: 'engine',
      exports: [{ subpath: '.', source: index.path }],
      dependencies: [],
      devDependencies: [],
    }
    const seen = (more: readonly SourceFile[]) => testOnlyExports([one, index, test, ...more], [manifest])
    expect(seen([])).toEqual(['packages/engine/src/a.ts a', 'packages/engine/src/a.ts c'])
    expect(seen([file('packages/server/src/a.ts', "import { c } from '@holdfast/engine'")])).toEqual([
      'packages/engine/src/a.ts a',
    ])
    expect(seen([file('packages/server/src/a.ts', "const all = await import('@holdfast/engine')")])).toEqual([])
    expect(seen([file('packages/engine/src/b.ts', "import * as all from './a.ts'")])).toEqual([])
  })

  it('[ARCH9] sees star exports, default exports, and code in an index file', () => {
    const offencesOf = (path: string, text: string) => exportOffences([file(path, text)])
    for (const text of [
      "export * from './a.ts'",
      "export * as all from './a.ts'",
      "export type * from './a.ts'",
      'export default 1',
      'const a = 1\nexport { a as default }',
    ]) {
      expect(offencesOf('packages/engine/src/a.ts', text)).toHaveLength(1)
    }
    const index = 'packages/engine/src/index.ts'
    expect(offencesOf(index, 'export const a = 1')).toHaveLength(1)
    expect(offencesOf(index, "import { a } from './a.ts'\nexport { a }")).toHaveLength(1)
    expect(offencesOf(index, "// Why.\nexport { a, type B } from './a.ts'\nexport type { C } from './c.ts'\n")).toEqual(
      [],
    )
  })

  it('[ARCH1] reads code and not what looks like it: quotes in patterns, slashes in templates, nested templates', () => {
    const text = "const a = /['\"`]/.test(b) ? 1 / 2 : `// ${c ? `'${d}'` : \"}\"} it's`\nuse(e)"
    const mask = maskCode(text)
    expect(mask).toHaveLength(text.length)
    expect(mask.replace(/\s+/g, ' ')).toBe('const a = .test(b) ? 1 / 2 : ` ${c ? ` ${d} ` : " "} ` use(e)')
  })
})

describe('what a newcomer reads first', () => {
  it('[ARCH16] is a README in every package and app, and what it says to read exists', () => {
    const offences = find(['packages/*/package.json', 'apps/*/package.json']).flatMap((manifest) => {
      const folder = manifest.slice(0, -'/package.json'.length)
      const text = readIfThere(`${folder}/README.md`)
      return text === undefined ? [`${folder}: has no README.md`] : readmeOffences(folder, text, isThere)
    })
    expect(offences).toEqual([])
  })

  it('[ARCH16] sees a README that names too few files, or one that is gone', () => {
    const names = (...paths: string[]) =>
      `# a\n\n${paths.map((path, index) => `${index + 1}. ${path}: why\n`).join('')}`
    const there = (path: string) => path !== 'packages/a/src/gone.ts'
    expect(readmeOffences('packages/a', names('src/a.ts', 'src/b.ts', 'src/c.ts'), there)).toEqual([])
    expect(readmeOffences('packages/a', names('src/a.ts', 'src/b.ts'), there)).toHaveLength(1)
    expect(readmeOffences('packages/a', names('src/a.ts', 'src/gone.ts', 'src/c.ts'), there)).toHaveLength(1)
  })

  it('[PACK11] is given away with each package without a name that leads nowhere there, and with an example', () => {
    const offences = find(['packages/*/package.json']).flatMap((manifest) => {
      const folder = manifest.slice(0, -'/package.json'.length)
      return givenReadmeOffences(folder, readIfThere(`${folder}/README.md`) ?? '')
    })
    expect(offences).toEqual([])
    const example = '\n## Example\n\nWith `@a/b` beside it:\n\n```ts\nrun()\n```\n\nIt prints:\n\n```text\n1\n```\n'
    const rest = '\n## In the repository\n\nSee [there](../../docs/A.md) and src/a.ts.\n'
    expect(readmeExample(example)).toEqual({ beside: ['@a/b'], code: 'run()', printed: '1\n' })
    expect(givenReadmeOffences('a', `# a\n${example}${rest}`)).toEqual([])
    expect(givenReadmeOffences('a', `# a\n${example}`)).toHaveLength(1)
    expect(givenReadmeOffences('a', `# a\n${rest}`)).toHaveLength(1)
    expect(givenReadmeOffences('a', `# a\nSee src/a.ts, \`./b\` and [c](c.md).\n${example}${rest}`)).toHaveLength(3)
  })

  it('[ARCH16] says of every folder with rooms which they are, in their order, and nothing else', () => {
    const pages = [...find(['packages/*/README.md', 'apps/*/README.md']), 'docs/ARCHITECTURE.md']
    const told = pages.map((path) => ({ path, text: readText(path) }))
    expect(roomSentenceOffences(ROOMS, told)).toEqual([])
    expect(told.at(-1)?.text.replace(/\s+/g, ' ')).toContain(`from the roof: ${ROOMS['apps/web/src']?.join(', ')}.`)
  })

  it('[ARCH16] sees a room that a README leaves out, and a sentence about rooms that are gone', () => {
    const rooms = { 'packages/a/src': ['run', 'log'] }
    const page = (text: string) => ({ path: 'packages/a/README.md', text })
    expect(roomSentenceOffences(rooms, [page('Its rooms, from the roof: run,\nlog (why).')])).toEqual([])
    expect(roomSentenceOffences(rooms, [page('Rooms.')])).toEqual([
      'packages/a/README.md: does not say of packages/a/src "from the roof: run, log."',
    ])
    expect(roomSentenceOffences(rooms, [page('Its rooms, from the roof: run.')])).toHaveLength(2)
  })

  it('[ARCH24] is where each act is made: ten of them, with functions that are in their files', () => {
    const named = namedFunctionsOf(readText('docs/ARCHITECTURE.md'))
    expect([...new Set(named.map(({ act }) => act))]).toEqual([
      'a stop',
      'a crash',
      'a permission',
      'the hold of a queue',
      'a retry',
      'a title',
      'a checkpoint',
      'a price',
      'a receipt',
      'an erasure',
    ])
    expect(namedFunctionOffences(named, sources)).toEqual([])
  })

  it('[ARCH24] sees a function that has another name now, and a file that is gone', () => {
    const drawn =
      '## Where it is made\n\nWords.\n\n```text\na stop\n  a.ts  endRun  its end\n  b.ts  wake    more\n```\n'
    const files = [file('a.ts', 'export async function endRun() {}')]
    expect(namedFunctionOffences(namedFunctionsOf(drawn), files)).toEqual([
      'docs/ARCHITECTURE.md, a stop: b.ts makes no function wake',
    ])
    expect(namedFunctionOffences(namedFunctionsOf(drawn), [file('a.ts', 'endRun()')])).toHaveLength(2)
  })

  it('[ARCH17] is a rule on one line: no line of the rules has more than 240 characters', () => {
    const lines = readText('docs/SPEC.md').split('\n')
    expect(lines.filter((line) => line.length > 240)).toEqual([])
  })
})
