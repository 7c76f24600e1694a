import { fuzzyScore } from '../../shared/fuzzy.ts'
import { type Act, SECTIONS } from './acts.ts'

/** The first character of a query that asks for one section. */
const PREFIXES: Readonly<Record<string, Act['section']>> = {
  '>': 'actions',
  '/': 'actions',
  '#': 'conversations',
  '@': 'files',
}

/** So many of a section are shown, and so many conversations before anything is typed. */
const SHOWN = { found: 20, atRest: 5 } as const

/** What is looked for in the text of messages by a query; nothing where it asks for another section. */
export function messageWords(query: string): string {
  return PREFIXES[query[0] ?? ''] === undefined ? query.trim() : ''
}

/** The acts that a query finds, section by section, best first. Without a query all but what there are many of. */
export function findActs(acts: readonly Act[], query: string): readonly Act[] {
  const only = PREFIXES[query[0] ?? '']
  const words = (only === undefined ? query : query.slice(1)).trim()
  const found = acts.flatMap((act) => {
    if (only !== undefined && act.section !== only && !(only === 'actions' && act.section === 'now')) return []
    const score = scoreOf(act, words)
    return score === null ? [] : [{ act, score }]
  })
  const sections = SECTIONS.map((section) => found.filter(({ act }) => act.section === section))
  if (words === '')
    return sections.flatMap((own) => own.slice(0, limitOf(own[0]?.act.section, only)).map(({ act }) => act))
  return sections
    .map((own) => own.toSorted((a, b) => b.score - a.score).slice(0, SHOWN.found))
    .toSorted((a, b) => (b[0]?.score ?? 0) - (a[0]?.score ?? 0))
    .flatMap((own) => own.map(({ act }) => act))
}

function limitOf(section: Act['section'] | undefined, only: Act['section'] | undefined): number {
  const isMany = section === 'conversations' || section === 'files' || section === 'models' || section === 'agents'
  return isMany && only === undefined ? SHOWN.atRest : 1_000
}

/** What it is called counts more than other words for it. */
function scoreOf({ name, also }: Act, words: string): number | null {
  const byName = fuzzyScore(name, words)
  const byOther = also === '' ? null : fuzzyScore(also, words)
  if (byName === null) return byOther === null || byOther < 500 ? null : byOther - 500
  return byName
}
