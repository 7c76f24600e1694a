import { describe, expect, it } from 'vitest'
import { apiFileOf, nameChanges, publicNames, sharedNames } from './walls/public-names.ts'
import { find, readIfThere, readManifests, readText } from './walls/repository.ts'

/** Exports that a manifest names and nobody has begun are not public yet. */
const begun = readManifests().flatMap(({ folder, exports }) =>
  exports.flatMap(({ subpath, source }) => {
    const text = readIfThere(source)
    return text === undefined ? [] : [{ file: apiFileOf(folder, subpath), names: publicNames(text) }]
  }),
)

const CONFORMANCE_STANDS_ALONE = 'the same thing; conformance imports no package of ours, so that it judges them all'

/** Names that two packages may both have, with the reason. */
const SHARED: Readonly<Record<string, string>> = {
  'Clock: conformance, conversation': CONFORMANCE_STANDS_ALONE,
  'Random: conformance, conversation': CONFORMANCE_STANDS_ALONE,
  'createSeededRandom: conformance, conversation': CONFORMANCE_STANDS_ALONE,
}

describe('the public names', () => {
  it('[ARCH10] are those of docs/api (`npm run api` writes them)', () => {
    const changes = begun.flatMap(({ file, names }) => {
      const written =
        readIfThere(file)
          ?.split('\n')
          .filter((line) => line !== '') ?? []
      return nameChanges(file, written, names)
    })
    expect(changes).toEqual([])
  })

  it('[ARCH10] belong to exports that exist', () => {
    const files = begun.map(({ file }) => file)
    expect(find(['docs/api/*.txt']).filter((file) => !files.includes(file))).toEqual([])
  })

  it('[ARCH10] are found in every list of an index file, with types marked', () => {
    const index = "export { b, type A, c as d } from './a.ts'\nexport type {\n  E,\n  F as G,\n} from './e.ts'\n"
    expect(publicNames(index)).toEqual(['type A', 'type E', 'type G', 'b', 'd'])
    expect(publicNames('export interface B {}\nexport async function a() {}\nconst c = 1\n')).toEqual(['type B', 'a'])
    expect(publicNames(readText('packages/conversation/src/index.ts'))).toContain('type EntryStore')
  })

  it('[ARCH10] are named when they come or go', () => {
    expect(nameChanges('docs/api/a.txt', ['a', 'type B'], ['a', 'B'])).toEqual([
      'docs/api/a.txt: added B',
      'docs/api/a.txt: lost type B',
    ])
  })

  it('[ARCH18] belong to one package each', () => {
    expect(sharedNames(begun)).toEqual(Object.keys(SHARED))
  })

  it('[ARCH18] are found where two packages have them, as a type or as a value', () => {
    const apis = [
      { file: 'docs/api/a.txt', names: ['type Both', 'One'] },
      { file: 'docs/api/a.testing.txt', names: ['One'] },
      { file: 'docs/api/b.txt', names: ['Both'] },
    ]
    expect(sharedNames(apis)).toEqual(['Both: a, b'])
  })
})
