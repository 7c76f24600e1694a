import { namesIn, readWorkspaceText, type Workspace } from '@holdfast/toolbox'
import * as z from 'zod'

/** What shows the pages of a place. */
export type Detected =
  /** `folder`: where the line runs, from the place. */
  | { readonly type: 'command'; readonly line: string; readonly folder: string; readonly isInstalled: boolean }
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 'nothing' }

/** What is looked at of a folder; another place of the workspace is named with `/`. */
export interface FolderFacts {
  /** The text of a file; null where there is none. */
  text(path: string): Promise<string | null>
  /** Names in a folder; empty where there is none. */
  names(path: string): Promise<readonly string[]>
}

/** Scripts that show pages, the best first. */
const SCRIPTS = ['dev', 'start', 'serve', 'preview'] as const

/** What starts a framework where no script does. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  next: 'npx next dev',
  astro: 'npx astro dev',
  nuxt: 'npx nuxt dev',
  '@angular/cli': 'npx ng serve',
  gatsby: 'npx gatsby develop',
  'react-scripts': 'npx react-scripts start',
  vite: 'npx vite',
  '@11ty/eleventy': 'npx @11ty/eleventy --serve',
}

const LOCKFILES: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
}

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: z.record(z.string(), z.string()).catch({}),
  devDependencies: z.record(z.string(), z.string()).catch({}),
  packageManager: z.string().catch(''),
  workspaces: z.union([z.array(z.string()), z.object({ packages: z.array(z.string()) })]).catch([]),
})
type Manifest = z.infer<typeof Manifest>

/** Finds what shows the pages of a folder: a script, a framework, a package of a repository, or a page itself. [PREV2] */
export async function detectCommand(facts: FolderFacts): Promise<Detected> {
  const root = await manifestIn(facts, '')
  const names = await facts.names('')
  if (root !== null) {
    const manager = managerOf(root, names)
    const line = lineOf(root, manager)
    if (line !== null) return { type: 'command', line, folder: '', isInstalled: isInstalled(root, names) }
    for (const folder of await packagesOf(facts, root)) {
      const manifest = await manifestIn(facts, folder)
      const own = manifest === null ? null : lineOf(manifest, manager)
      if (own !== null && manifest !== null)
        return { type: 'command', line: own, folder, isInstalled: names.includes('node_modules') }
    }
  }
  if (names.includes('manage.py'))
    return { type: 'command', line: 'python3 manage.py runserver', folder: '', isInstalled: true }
  for (const folder of ['', 'public', 'dist', 'build', 'site', 'docs'])
    if ((folder === '' ? names : await facts.names(folder)).includes('index.html')) return { type: 'folder', folder }
  return { type: 'nothing' }
}

/** Looks into a workspace. */
export function factsOf(workspace: Workspace): FolderFacts {
  return {
    text: (path) => readWorkspaceText(workspace, path),
    names: (path) => namesIn(workspace, path === '' ? '.' : path),
  }
}

async function manifestIn(facts: FolderFacts, folder: string): Promise<Manifest | null> {
  const text = await facts.text(folder === '' ? 'package.json' : `${folder}/package.json`)
  if (text === null) return null
  const read = Manifest.safeParse(jsonOr(text))
  return read.success ? read.data : null
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function managerOf({ packageManager }: Manifest, names: readonly string[]): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1]
  const locked = Object.entries(LOCKFILES).find(([file]) => names.includes(file))?.[1]
  return named ?? locked ?? 'npm'
}

function lineOf({ scripts, dependencies, devDependencies }: Manifest, manager: string): string | null {
  const script = SCRIPTS.find((name) => scripts[name] !== undefined)
  if (script !== undefined) return `${manager} run ${script}`
  const framework = Object.keys(FRAMEWORKS).find((name) => name in dependencies || name in devDependencies)
  return framework === undefined ? null : (FRAMEWORKS[framework] ?? null)
}

function isInstalled({ dependencies, devDependencies }: Manifest, names: readonly string[]): boolean {
  return Object.keys({ ...dependencies, ...devDependencies }).length === 0 || names.includes('node_modules')
}

/** Folders of packages of one repository: those that are named, and what lies in those that are named with a star. */
async function packagesOf(facts: FolderFacts, { workspaces }: Manifest): Promise<readonly string[]> {
  const listed = Array.isArray(workspaces) ? workspaces : workspaces.packages
  const pnpm = (await facts.text('pnpm-workspace.yaml')) ?? ''
  const ofPnpm = [...pnpm.matchAll(/^\s*-\s*['"]?([^'"\n#]+?)['"]?\s*$/gm)].map(([, pattern]) => pattern ?? '')
  const found: string[] = []
  for (const pattern of [...listed, ...ofPnpm]) {
    const [, parent] = /^(?:\.\/)?([\w@.-]+(?:\/[\w@.-]+)*)\/\*{1,2}$/.exec(pattern) ?? []
    if (parent === undefined) found.push(pattern.replace(/^\.\//, ''))
    else for (const name of await facts.names(parent)) found.push(`${parent}/${name}`)
  }
  return found.slice(0, MOST_PACKAGES)
}

const MOST_PACKAGES = 100
