import { existsSync, globSync } from 'node:fs'
import type { KnipConfig } from 'knip'

/** A package that has a manifest and no code yet: what it will depend on is not unused. */
const notBegun = globSync(['packages/*', 'apps/*']).filter((folder) => !existsSync(`${folder}/src`))

/** Installed ahead of the first code that uses them. Knip's hints name those that can leave this list. */
const ahead = {
  root: ['@types/better-sqlite3', '@types/pg', '@types/ws', 'playwright-core', 'tinybench', 'ws'],
  engine: ['@holdfast/context', '@holdfast/provider'],
}

const config: KnipConfig = {
  ignoreWorkspaces: notBegun,
  workspaces: {
    '.': {
      entry: ['scripts/*.{mjs,ts}'],
      project: ['scripts/**/*.{mjs,ts}', 'tests/**/*.ts'],
      ignoreDependencies: ahead.root,
    },
    'packages/engine': { project: ['src/**/*.ts'], ignoreDependencies: ahead.engine },
    'packages/*': { project: ['src/**/*.{ts,tsx}'] },
    'apps/*': { project: ['src/**/*.{ts,tsx}'] },
  },
}

export default config
