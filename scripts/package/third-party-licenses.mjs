import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The file with the licences of what is bundled. */
const LICENSES_FILE = 'third-party-licenses.txt'

/**
 * Says beside a bundle which packages of others are in it, each with its licence: who gives their code on has to.
 *
 * @throws {Error} where one has no licence
 */
export function thirdPartyLicenses(root) {
  return {
    name: 'licences of others',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}))
      const folders = new Set(modules.map((path) => packageFolder(path, root)).filter((folder) => folder !== null))
      const texts = [...folders].map(licenseOf).sort()
      this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source: [...new Set(texts)].join('\n\n') })
    },
  }
}

/** The folder of the package that a module is of; null for one of ours. */
function packageFolder(path, root) {
  if (!path.startsWith(root) || !path.includes('/node_modules/')) return null
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    // Some packages have manifests in their folders that only say how files are read.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined) return folder
  }
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder)
    .filter((each) => /^(licen[cs]e|copying)/i.test(each))
    .sort()[0]
  if (license === undefined && file === undefined) throw new Error(`${name} ${version} says no licence`)
  const text = file === undefined ? `Licensed as ${license}.` : readFileSync(join(folder, file), 'utf8').trim()
  return `${'='.repeat(80)}\n${name}@${version}\n\n${text}`
}
