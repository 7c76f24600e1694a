/** A language, and the servers that know it. */
export interface Language {
  /** For people. */
  readonly name: string
  /** What the protocol calls files with an ending. */
  readonly ids: Readonly<Record<string, string>>
  /** The first that is there is used. */
  readonly servers: readonly ServerProgram[]
}

/** A program that is a language server. */
export interface ServerProgram {
  /** What it is called where programs are looked for. */
  readonly program: string
  readonly args: readonly string[]
  /** The package of npm that brings it; null for none. */
  readonly npm: NpmProgram | null
  /** What it is told at its start, as it wants it. */
  readonly options: Readonly<Record<string, boolean>>
  /** What it is answered where it asks for settings of its editor, by their section. */
  readonly settings: ServerSettings
}

/** Settings of an editor by their section. */
export type ServerSettings = Readonly<Record<string, Readonly<Record<string, boolean>>>>

/** A program as a package of npm brings it. */
export interface NpmProgram {
  readonly name: string
  /** The file in the package. */
  readonly file: string
  /** Earlier versions are no language server. */
  readonly leastMajor: number
}

/**
 * Servers that answer when they are asked (`textDocument/diagnostic`): what one sends by itself belongs to no version that
 * can be told. A language more is a row here.
 */
const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    ids: {
      ts: 'typescript',
      mts: 'typescript',
      cts: 'typescript',
      tsx: 'typescriptreact',
      js: 'javascript',
      mjs: 'javascript',
      cjs: 'javascript',
      jsx: 'javascriptreact',
    },
    servers: [
      {
        program: 'tsc',
        args: ['--lsp', '--stdio'],
        npm: { name: 'typescript', file: 'bin/tsc', leastMajor: 7 },
        options: {},
        // By itself it has npm install types of packages that JavaScript names, and a list of all there are. [WS32]
        settings: { typescript: { disableAutomaticTypeAcquisition: true } },
      },
    ],
  },
  {
    name: 'Python',
    ids: { py: 'python', pyi: 'python' },
    servers: [
      {
        program: 'pyright-langserver',
        args: ['--stdio'],
        npm: { name: 'pyright', file: 'langserver.index.js', leastMajor: 1 },
        options: {},
        settings: {},
      },
      { program: 'basedpyright-langserver', args: ['--stdio'], npm: null, options: {}, settings: {} },
    ],
  },
  {
    name: 'Go',
    ids: { go: 'go' },
    servers: [{ program: 'gopls', args: [], npm: null, options: { pullDiagnostics: true }, settings: {} }],
  },
  {
    name: 'Rust',
    ids: { rs: 'rust' },
    servers: [{ program: 'rust-analyzer', args: [], npm: null, options: {}, settings: {} }],
  },
]

/** The language of a file by its ending; null where no server knows it. */
export function languageOf(path: string): Language | null {
  const ending = endingOf(path)
  return LANGUAGES.find(({ ids }) => Object.hasOwn(ids, ending)) ?? null
}

/** What follows the last dot of a name. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
}
