import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands where in the list beside the pages. What is in `docs` and in no group ends the build. */
const GROUPS = [
  { name: 'Begin', names: ['tour', 'install', 'config', 'import', 'workspace'] },
  {
    name: 'Use',
    names: [
      'workspaces',
      'previews',
      'canvas',
      'agents',
      'memories',
      'schedules',
      'voice',
      'permissions',
      'mcp',
      'prices',
      'languages',
    ],
  },
  { name: 'Run', names: ['accounts', 'stores', 'proxies', 'replicas', 'kubernetes', 'scale', 'monitoring'] },
  { name: 'Connect', names: ['interop', 'acp', 'external-agents', 'gateway', 'embed'] },
  { name: 'Build', names: ['ARCHITECTURE', 'GLOSSARY', 'SPEC', 'TESTING', 'BENCHMARKS', 'not-yet-built'] },
]

/** The page that one comes to first. */
const FIRST = 'tour'

/**
 * Every page of the site: where its text is in the repository, where it is in the site, and the list beside it.
 *
 * @param {string} root of the repository
 */
export function pagesOf(root) {
  const read = (source) => readFileSync(join(root, source), 'utf8')
  const page = (source, url, text = read(source)) => ({ source, url, text, title: titleOf(text, source) })
  const guides = new Map(
    readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -3))
      .map((name) => [name, page(`docs/${name}.md`, name === FIRST ? 'index.html' : `${name}.html`)]),
  )
  const groups = GROUPS.map(({ name, names }) => ({ name, pages: names.map((each) => taken(guides, each)) }))
  if (guides.size > 0) throw new Error(`scripts/docs/pages.mjs has no place for ${[...guides.keys()].join(', ')}`)
  const papers = ['CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map((name) => page(`${name}.md`, `${name}.html`))
  const decisions = readdirSync(join(root, 'docs', 'decisions'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) =>
      page(`docs/decisions/${name}`, `decisions/${name === 'README.md' ? 'index' : name.slice(0, -3)}.html`),
    )
  const packages = readdirSync(join(root, 'packages'))
    .toSorted()
    .map((name) => page(`packages/${name}/README.md`, `packages/${name}.html`, packageText(root, name)))
  const isList = ({ url }) => url === 'decisions/index.html'
  groups.at(-1)?.pages.push(...decisions.filter(isList), ...papers)
  groups.push({ name: 'Packages', pages: packages })
  return { groups, pages: [...groups.flatMap((group) => group.pages), ...decisions.filter((one) => !isList(one))] }
}

function taken(guides, name) {
  const found = guides.get(name)
  if (found === undefined) throw new Error(`scripts/docs/pages.mjs names docs/${name}.md, which is not there`)
  guides.delete(name)
  return found
}

function titleOf(text, source) {
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (title === undefined) throw new Error(`${source} has no title`)
  return title.replaceAll('`', '')
}

/** A package as its README tells it, and the names that it gives to others. */
function packageText(root, name) {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
  const folder = join(root, 'docs', 'api')
  const lists = readdirSync(folder)
    .filter((file) => file === `${name}.txt` || (file.startsWith(`${name}.`) && file.endsWith('.txt')))
    .toSorted()
  const parts = lists.map((file) => {
    const entry = file === `${name}.txt` ? `@holdfast/${name}` : `@holdfast/${file.slice(0, -4).replace('.', '/')}`
    return `### ${entry}\n\n\`\`\`text\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n\`\`\`\n`
  })
  return parts.length === 0 ? readme : `${readme.trimEnd()}\n\n## Public names\n\n${parts.join('\n')}`
}

/** The list as one page sees it: with addresses from where it stands. */
export function linksOf(groups, url, up) {
  return groups.map(({ name, pages }) => ({
    name,
    isOpen: pages.some((page) => `/${page.url}` === url) || (name === 'Begin' && url === '/'),
    pages: pages.map((page) => ({
      title: page.title,
      href: `${up}${page.url}`,
      isHere: `/${page.url}` === url || (page.url === 'index.html' && url === '/'),
    })),
  }))
}
