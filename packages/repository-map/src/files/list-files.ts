import { spawnSync } from 'node:child_process'
import { isSecretName } from './secret-names.ts'
import { type Listed, walkUnignored } from './walk-unignored.ts'

/** A folder whose files are listed. */
export interface ListOrder {
  /** A real path. */
  readonly rootPath: string
  /** Name or path of `git`; null: without it. */
  readonly git: string | null
  /** Milliseconds for it. */
  readonly limitMs: number
}

/** Folders of packages and caches; nobody's map needs them, ignored or not. */
const LEFT_OUT_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.git'])

/** Bytes of names that git may print. */
const MOST_OUTPUT_BYTES = 128 << 20

/**
 * The files of a folder as git lists them: tracked, and new ones that it does not ignore. Without git, or in a folder
 * that git does not know or ignores as a whole, it reads `.gitignore` by itself. Secrets are left out. [MAP2]
 */
export function listFiles({ rootPath, git, limitMs }: ListOrder): Listed {
  const byGit = git === null ? null : listByGit({ rootPath, git, limitMs })
  const { paths, isCut } = byGit ?? walkUnignored(rootPath, { limitMs, leftOut: LEFT_OUT_FOLDERS })
  const wanted = [...new Set(paths)].filter((path) => !isSecretName(path) && !isLeftOut(path))
  return { paths: wanted.sort(), isCut }
}

function isLeftOut(path: string): boolean {
  return path.split('/').some((name) => LEFT_OUT_FOLDERS.has(name) || name === '..')
}

function listByGit({ rootPath, git, limitMs }: ListOrder & { readonly git: string }): Listed | null {
  const leftOut = [...LEFT_OUT_FOLDERS].map((name) => `--exclude=${name}/`)
  const end = spawnSync(
    git,
    [...SETTINGS.flatMap((setting) => ['-c', setting]), 'ls-files', '-z', '-co', '--exclude-standard', ...leftOut],
    {
      cwd: rootPath,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_OUTPUT_BYTES,
    },
  )
  if (end.status !== 0 || end.stdout.byteLength === 0) return null
  // A repository within this one ends in a slash: it is another one.
  const paths = end.stdout.toString('utf8').split('\0')
  return { paths: paths.filter((path) => path !== '' && !path.endsWith('/')), isCut: false }
}

/** What a repository's own settings could make git run or read outside is set here, and settings given here win. [MAP2] */
const SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.excludesFile=/dev/null',
  'protocol.allow=never',
]

/** Nothing of the account's settings, no fetching of what a partial clone lacks, no writing of the index. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
}
