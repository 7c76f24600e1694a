import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/places.mjs'
import { thirdPartyLicenses } from './third-party-licenses.mjs'

const PROGRAM = join(ROOT, 'apps', 'holdfast')
const inPackage = (path) => join(ROOT, 'packages', path)

/** Packages that stay what npm installs: they load files that lie beside their own. */
export const APART = ['@repomix/tree-sitter-wasms', 'better-sqlite3', 'web-tree-sitter']

/**
 * The program in few files, with all that it needs of others but `APART`. Threads and processes of its own are found beside the file
 * that starts them: each is an entry, with the name that it has in its package, and the files that entries share lie in the same folder.
 */
export default {
  input: {
    main: join(PROGRAM, 'src', 'main.ts'),
    'html-thread': inPackage('toolbox/src/web/html-thread.ts'),
    'keeper/keeper-process': inPackage('terminal/src/keeper/keeper-process.ts'),
    'launcher-process': inPackage('tool/src/process/launcher-process.ts'),
    'port-relay': inPackage('toolbox/src/shell/port-relay.ts'),
    'survey-thread': inPackage('toolbox/src/survey/survey-thread.ts'),
    'thread/map-thread': inPackage('repository-map/src/thread/map-thread.ts'),
    worker: inPackage('store/src/sqlite/threads/worker.ts'),
  },
  platform: 'node',
  external: (name) => APART.some((apart) => name === apart || name.startsWith(`${apart}/`)),
  resolve: {
    conditionNames: ['@holdfast/source', 'node'],
    // What Node would load of it asks for its parts in a way that cannot be followed.
    alias: { 'jsonc-parser': join(ROOT, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js') },
  },
  plugins: [
    thirdPartyLicenses(ROOT),
    {
      name: 'what previewed pages run',
      generateBundle() {
        const source = readFileSync(inPackage('preview-script/dist/preview-script.js'))
        this.emitFile({ type: 'asset', fileName: 'preview-script.js', source })
      },
    },
  ],
  // What stands in the sources stands in the program: tests that cut a check out of it find it.
  optimization: { inlineConst: false },
  output: {
    dir: join(PROGRAM, 'dist'),
    format: 'esm',
    // Names of classes and functions are read: in errors, and by packages of others.
    keepNames: true,
    chunkFileNames: '[name]-[hash].js',
  },
}
