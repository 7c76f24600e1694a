import { existsSync, globSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** A package that has a manifest and no code yet: what it will depend on is not unused. */
const notBegun = globSync(['packages/*', 'apps/*']).filter((folder) => !existsSync(`${folder}/src`))

/** Installed ahead of the first code that uses them. Knip's hints name those that can leave this list. */
const ahead = {
  store: ['better-sqlite3', 'pg'],
  root: ['@types/better-sqlite3', '@types/pg', '@types/ws', 'playwright-core', 'tinybench', 'ws'],
}

const TESTS = ['tests/**/*.test.{ts,tsx}']
/** Files that tests start as processes of their own. */
const STARTED = ['tests/support/traced-appends.ts']
const CODE = ['{src,tests}/**/*.{ts,tsx}']

const config: KnipConfig = {
  ignoreWorkspaces: notBegun,
  // The shape of what an exported function takes or returns may be exported with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    '.': {
      entry: ['scripts/*.{mjs,ts}'],
      project: ['scripts/**/*.{mjs,ts}', 'tests/**/*.ts'],
      ignoreDependencies: ahead.root,
    },
    'packages/store': { entry: [...TESTS, ...STARTED], project: CODE, ignoreDependencies: ahead.store },
    'packages/*': { entry: TESTS, project: CODE },
    'apps/*': { entry: TESTS, project: CODE },
  },
}

export default config
