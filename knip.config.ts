import { existsSync, globSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** A package that has a manifest and no code yet: what it will depend on is not unused. */
const notBegun = globSync(['packages/*', 'apps/*']).filter((folder) => !existsSync(`${folder}/src`))

const TESTS = ['tests/**/*.test.{ts,tsx}']
/** Files that run in threads and processes of their own. */
const STARTED = [
  'src/sqlite/threads/worker.ts',
  ...[
    'disk-appends',
    'full-disk',
    'holding-store',
    'killed-migration',
    'killed-writer',
    'read-only-disk',
    'loaded-modules',
    'traced-appends',
    'faulted-appends',
    'ended-writer',
    'killed-move',
  ].map((name) => `tests/support/${name}.ts`),
]
const CODE = ['{src,tests}/**/*.{ts,tsx}']

const config: KnipConfig = {
  ignoreWorkspaces: notBegun,
  // The shape of what an exported function takes or returns may be exported with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    '.': {
      entry: [
        'scripts/*.{mjs,ts}',
        'scripts/docs/eleventy.config.mjs',
        'scripts/lib/test-reporter.mjs',
        'scripts/package/rolldown.config.mjs',
        'bench/main.ts',
        'bench/log/read-all.ts',
        'bench/{engine,server}/*-process.ts',
        'tests/states/{main,killed-process}.ts',
        'tests/bill/main.ts',
      ],
      project: ['scripts/**/*.{mjs,ts}', 'tests/**/*.ts', 'bench/**/*.ts'],
      ignoreBinaries: ['mkfifo'],
      // Run by its command, which is looked up in the package.
      ignoreDependencies: ['@11ty/eleventy'],
    },
    'packages/store': {
      entry: [...TESTS, ...STARTED, 'tests/support/s3rver.d.ts'],
      project: CODE,
      ignoreBinaries: ['unshare', 'mount'],
    },
    'packages/toolbox': {
      entry: [
        ...TESTS,
        'src/{web/html-thread,survey/survey-thread,shell/port-relay}.ts',
        'tests/support/{change-files,killed-in-command}.ts',
      ],
      project: CODE,
      ignoreBinaries: ['mkfifo'],
    },
    // What runs in previewed pages is bundled by itself; the projects of the tests name two Reacts.
    'packages/preview-script': {
      entry: [...TESTS, 'src/inside/main.ts'],
      project: CODE,
      ignoreDependencies: ['react-18', 'react-dom-18'],
    },
    // The grammars are found by the names of languages.
    'packages/repository-map': {
      entry: [...TESTS, 'src/thread/map-thread.ts'],
      project: CODE,
      ignoreBinaries: ['mkfifo'],
      ignoreDependencies: ['@repomix/tree-sitter-wasms'],
    },
    'packages/terminal': { entry: [...TESTS, 'src/keeper/keeper-process.ts'], project: CODE },
    // The servers are found by name and started as programs.
    'packages/mcp': {
      entry: [...TESTS, 'tests/support/hostile-server.mjs', 'tests/support/conformance-forward.mjs'],
      project: CODE,
      ignoreDependencies: ['@modelcontextprotocol/server-.+', '@modelcontextprotocol/conformance'],
    },
    'packages/engine': { entry: [...TESTS, 'tests/simulation/main.ts'], project: CODE },
    'packages/tool': {
      entry: [...TESTS, 'src/process/launcher-process.ts', 'tests/support/{left-group,killed-before-note}.ts'],
      project: CODE,
    },
    'packages/archive': {
      entry: [...TESTS, 'corpus/main.ts'],
      project: [...CODE, 'corpus/**/*.ts'],
      // The program that checks the corpus drives adapters and vendors' rules; it is not shipped.
      ignoreDependencies: ['@holdfast/conformance', '@holdfast/provider'],
    },
    'packages/provider': { entry: [...TESTS, 'corpus/main.ts'], project: [...CODE, 'corpus/**/*.ts'] },
    'packages/interop': {
      entry: TESTS,
      project: CODE,
      // Imported by a variable, so that their types do not come along; the referee is found by its name.
      ignoreDependencies: ['@ai-sdk/react', 'ai-sdk-react6', '@modelcontextprotocol/conformance'],
    },
    // Its language server is found by its name.
    'packages/workbench': {
      entry: TESTS,
      project: CODE,
      ignoreBinaries: ['mount', 'unshare', 'umount'],
      ignoreDependencies: ['pyright'],
    },
    'packages/preview': { entry: TESTS, project: CODE, ignoreBinaries: ['openssl'] },
    'packages/*': { entry: TESTS, project: CODE },
    'apps/holdfast': {
      entry: [
        ...TESTS,
        'tests/support/{run-main,make-once,nursery-sizes}.ts',
        'tests/{agents,codex,crash,schedules,together,versions}/main.ts',
      ],
      project: CODE,
      ignoreBinaries: ['script', 'mount', 'umount', 'unshare'],
      // A test runs the program of the first, and imports the second by the kinds that manifests name.
      ignoreDependencies: ['acpx', 'kubernetes-models'],
    },
    // axe is read as a file and handed to the page.
    'apps/web': {
      entry: [...TESTS, 'tests/screens/main.ts', 'tests/support/loaded-program.ts'],
      project: CODE,
      ignoreDependencies: ['axe-core'],
    },
    'apps/*': { entry: TESTS, project: CODE },
  },
}

export default config
