import { describe, expect, it } from 'vitest'
import { maskCode } from './walls/code-mask.ts'
import { cycleOffences } from './walls/cycles.ts'
import { engineOffences, environmentOffences, purityOffences } from './walls/effects.ts'
import { exportOffences, lengthOffences, ORCHESTRATORS } from './walls/file-shape.ts'
import { importsOf } from './walls/imports.ts'
import { AHEAD, dependencyOffences, type Manifest } from './walls/manifest.ts'
import { ARROWS, arrowOffences, mayImport, reachInOffences } from './walls/package-arrows.ts'
import { readManifests, readSources } from './walls/repository.ts'
import type { SourceFile } from './walls/source-file.ts'

const sources = readSources()
const manifests = readManifests()

function file(path: string, text: string): SourceFile {
  return { path, text }
}

function exportsOf(all: readonly Manifest[]): Map<string, string[]> {
  return new Map(all.map(({ folder, exports }) => [folder, exports.map(({ subpath }) => subpath)]))
}

describe('the real tree', () => {
  it('[ARCH1] has imports between packages only along the arrows', () => {
    expect(arrowOffences(sources)).toEqual([])
  })

  it('[ARCH1] has a row for every package that exists', () => {
    expect(manifests.map(({ folder }) => folder).filter((name) => name !== 'holdfast' && !(name in ARROWS))).toEqual([])
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

  it('[ARCH8] has no file that is too long', () => {
    expect(lengthOffences(sources, ORCHESTRATORS)).toEqual([])
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
    expect(offencesOf('tests/a.test.ts', '../packages/engine/src/engine.ts')).toHaveLength(1)
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

  it('[ARCH8] sees a file of 401 lines, and an orchestrator of 251 or one that is gone', () => {
    const path = 'packages/engine/src/a.ts'
    const lines = (count: number) => file(path, 'a\n'.repeat(count))
    expect(lengthOffences([lines(400)], [])).toEqual([])
    expect(lengthOffences([lines(401)], [])).toHaveLength(1)
    expect(lengthOffences([lines(250)], [path])).toEqual([])
    expect(lengthOffences([lines(251)], [path])).toHaveLength(1)
    expect(lengthOffences([], [path])).toHaveLength(1)
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
