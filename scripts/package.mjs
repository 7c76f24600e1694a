import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { buildProgramInto, ensureProgramBuilt, ensureWebBuilt } from './lib/build.mjs'
import { environment, runChild } from './lib/child.mjs'
import { packageProgram } from './lib/package-program.mjs'
import { ROOT } from './lib/places.mjs'
import { runMain, SetupError, say } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'
import { workspacePackages } from './package/manifests.mjs'
import { pack } from './package/pack.mjs'
import { billOfMaterials } from './package/sbom.mjs'
import { stageCreateHoldfast, stageLibrary, stageProgram } from './package/stage.mjs'

/**
 * Makes what is given to others: one tarball of the program with nearly all that it needs in it, one of each library, `create-holdfast`, a list of what
 * is in them (CycloneDX), and the hashes of all. The same sources give the same bytes. [PACK1, PACK2]
 */
await runMain(async () => {
  const out = process.argv[2] ?? join(ROOT, 'out')
  const node = await setUp()
  await ensureProgramBuilt(node)
  await ensureWebBuilt(node)
  say('compiling the packages')
  await compileAll(node)
  const packages = workspacePackages()
  rmSync(out, { recursive: true, force: true })
  const staging = join(out, 'staging')
  mkdirSync(staging, { recursive: true })
  const bundle = join(staging, 'bundle')
  say('bundling the program')
  await buildProgramInto(node, bundle)
  say('packing')
  const libraries = packages.filter(({ isLibrary }) => isLibrary)
  const folders = [
    stageProgram({ packages, bundle, staging }),
    ...libraries.map((library) => stageLibrary({ library, staging })),
    stageCreateHoldfast(staging),
  ]
  const made = pack({ folders, out })
  rmSync(staging, { recursive: true })
  writeFileSync(join(out, 'holdfast.cdx.json'), billOfMaterials(packages))
  const hashes = [...made, 'holdfast.cdx.json'].map((file) => `${sha256(join(out, file))}  ${file}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), hashes.join(''))
  say(`${made.length} packages, their contents and their hashes are in ${relative(process.cwd(), out) || '.'}`)
  return 0
})

async function compileAll(node) {
  const args = [packageProgram({ packageName: 'typescript', command: 'tsc' }), '-b']
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'stderr' })
  if (exitCode !== 0) throw new SetupError('The packages cannot be compiled: the lines above say where.', 1)
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
