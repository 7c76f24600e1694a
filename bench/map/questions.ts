import { execFileSync } from 'node:child_process'
import type { TaggedFile } from '@holdfast/repository-map/testing'

/** What somebody wanted, and the files that were changed for it. */
export interface Question {
  readonly words: string
  readonly paths: readonly string[]
}

/** A commit that changes more is no answer to one question. */
const MOST_FILES = 10
const MOST_BYTES = 256 << 20

/** The titles of the commits after one, with the files of that one that they changed. */
export function questionsFromHistory(
  repository: string,
  { base, isAsked }: { readonly base: string; readonly isAsked: (path: string) => boolean },
): readonly Question[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { maxBuffer: MOST_BYTES }).toString()
  const there = new Set(git('ls-tree', '-r', '-z', '--name-only', base).split('\0'))
  return git('log', '--no-merges', '--name-only', '--format=%x00%s', `${base}..HEAD`)
    .split('\0')
    .slice(1)
    .flatMap((piece) => {
      const [words = '', ...rest] = piece.split('\n')
      const paths = rest.filter((path) => there.has(path) && isAsked(path))
      return paths.length === 0 || paths.length > MOST_FILES ? [] : [{ words, paths }]
    })
}

/**
 * A history made for a package that came without one: a change of each name that one file defines and a few others use.
 * Every second question says the name, the others say its words.
 */
export function questionsMade(files: readonly TaggedFile[], mostCount: number): readonly Question[] {
  const definers = new Map<string, string[]>()
  const users = new Map<string, string[]>()
  for (const { path, tags } of files) {
    for (const name of new Set(tags.definitions.map((definition) => definition.name)))
      definers.set(name, [...(definers.get(name) ?? []), path])
    for (const { name } of tags.references) users.set(name, [...(users.get(name) ?? []), path])
  }
  const changed = [...definers].flatMap(([name, [path, ...others]]) => {
    const using = (users.get(name) ?? []).filter((user) => user !== path)
    const isTold = path !== undefined && others.length === 0 && name.length > 5
    return isTold && using.length > 0 && using.length < MOST_FILES ? [{ name, paths: [path, ...using] }] : []
  })
  const step = Math.max(1, Math.floor(changed.length / mostCount))
  return changed
    .filter((_, index) => index % step === 0)
    .slice(0, mostCount)
    .map(({ name, paths }, index) => ({
      words: index % 2 === 0 ? `Change what ${name} does` : `Change how to ${inWords(name)}`,
      paths,
    }))
}

function inWords(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}
