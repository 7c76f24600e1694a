import { installedTree } from './installed-tree.mjs'
import { ownDependencies, pagePackage, programOf } from './manifests.mjs'

/**
 * What is in the program, what is installed with it and what its page is built of, as CycloneDX 1.6: each package with its version, licence
 * and hash, as the lockfile says. Nothing of the day or the machine is in it. [PACK2]
 */
export function billOfMaterials(packages) {
  const program = programOf(packages)
  const own = ownDependencies(packages, program)
  const foreign = new Map()
  for (const tree of [installedTree([program, ...own]), installedTree([pagePackage()])])
    for (const { name, entry } of tree) foreign.set(`${name}@${entry.version}`, component({ name, ...entry }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component(program.manifest) },
    components: [...own.map(({ manifest }) => component(manifest)), ...foreign.values()],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

function component({ name, version, license, integrity }) {
  const isExpression = / (OR|AND) /.test(license)
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [isExpression ? { expression: license } : { license: { name: license } }],
    ...(integrity === undefined ? {} : { hashes: [toHash(integrity)] }),
  }
}

function toHash(integrity) {
  const [kind, base64] = integrity.split('-')
  return { alg: kind.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}
