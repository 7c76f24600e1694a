import { posix } from 'node:path'
import type { Reference } from '../parse/file-tags.ts'
import type { Repository } from '../repository/read-repository.ts'

/** Who refers to whom: edges from a file to a file that defines what it uses. Files are named by their place in the list. */
export interface ReferenceGraph {
  readonly fileCount: number
  readonly edges: readonly Edge[]
}

/** One name that a file uses and another one defines. */
export interface Edge {
  readonly from: number
  readonly to: number
  /** Above 0. */
  readonly weight: number
  /** The definition in `to`, by its place there; null for an import as such. */
  readonly definition: number | null
}

/** A name that more files define says too little of which one is meant, unless the file imports one of them. */
const MOST_DEFINERS = 12
const IMPORT_WEIGHT = 1
/** What a name counts that is mentioned. */
const MENTIONED = 10
/** What a name counts that begins as private ones do. */
const PRIVATE = 0.1
/** What a name counts that is asked of a value: it may be one of the language's own. */
const MEMBER_SHARE = 0.1
/** A name that more files ask values for counts less with each: `push` and `get` are everybody's. */
const MEMBER_USERS = 8
/** Names that people made up for one thing: long, of several words. */
const TELLING = 3
const TELLING_CHARS = 8

/** Builds the graph of a repository; the order of its edges follows from files and names alone. [MAP1] */
export function referenceGraph(
  { files, tags }: Pick<Repository, 'files' | 'tags'>,
  mentioned: ReadonlySet<string>,
): ReferenceGraph {
  const definers = new Map<string, { readonly file: number; readonly definition: number }[]>()
  for (const [file, { definitions }] of tags.entries()) {
    for (const [definition, { name }] of definitions.entries()) {
      const known = definers.get(name)
      if (known === undefined) definers.set(name, [{ file, definition }])
      else if (known.at(-1)?.file !== file) known.push({ file, definition })
    }
  }
  const fileOfPath = new Map(files.map(({ path }, index) => [path, index]))
  const users = usersOfMembers(tags)
  const edges: Edge[] = []
  for (const [from, { references, members, imports }] of tags.entries()) {
    const path = files[from]?.path ?? ''
    const imported = new Set(imports.flatMap((words) => resolved(words, { path, fileOfPath }) ?? []))
    for (const to of imported) if (to !== from) edges.push({ from, to, weight: IMPORT_WEIGHT, definition: null })
    const refer = ({ name, count }: Reference, share: number) => {
      const all = definers.get(name)
      if (all === undefined || all.some(({ file }) => file === from)) return
      const meant = all.filter(({ file }) => imported.has(file))
      const targets = meant.length > 0 ? meant : all
      if (targets.length > MOST_DEFINERS) return
      const weight = (share * weightOf(name, mentioned) * Math.sqrt(count)) / targets.length
      for (const { file: to, definition } of targets) edges.push({ from, to, weight, definition })
    }
    for (const reference of references) refer(reference, 1)
    for (const member of members)
      refer(member, MEMBER_SHARE * Math.min(1, MEMBER_USERS / (users.get(member.name) ?? 1)))
  }
  return { fileCount: files.length, edges }
}

/** How many files ask values for each name. */
function usersOfMembers(tags: Repository['tags']): ReadonlyMap<string, number> {
  const users = new Map<string, number>()
  for (const { members } of tags) for (const { name } of members) users.set(name, (users.get(name) ?? 0) + 1)
  return users
}

function weightOf(name: string, mentioned: ReadonlySet<string>): number {
  let weight = mentioned.has(name) ? MENTIONED : 1
  if (name.startsWith('_')) weight *= PRIVATE
  if (name.length >= TELLING_CHARS && /[\p{Ll}\d]\p{Lu}|[_-]/u.test(name)) weight *= TELLING
  return weight
}

/** Endings that an import leaves out, or says otherwise. */
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js'] as const

/** The file of this repository that an import names by a path; null for packages. */
function resolved(
  words: string,
  { path, fileOfPath }: { readonly path: string; readonly fileOfPath: ReadonlyMap<string, number> },
): number | null {
  if (!/^\.{1,2}\//.test(words) && !/\.h(?:h|pp|xx)?$/.test(words)) return null
  const target = posix.join(posix.dirname(path), words)
  for (const ending of ENDINGS) {
    const found = fileOfPath.get(`${target}${ending}`)
    if (found !== undefined) return found
  }
  // TypeScript's own way: an import says `.js` and means `.ts`.
  return fileOfPath.get(target.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')) ?? null
}
