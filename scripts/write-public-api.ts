import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiFileOf, publicNames } from '../tests/walls/public-names.ts'
import { ROOT, readIfThere, readManifests } from '../tests/walls/repository.ts'

mkdirSync(join(ROOT, 'docs', 'api'), { recursive: true })
for (const { folder, exports } of readManifests()) {
  for (const { subpath, source } of exports) {
    const text = readIfThere(source)
    if (text !== undefined) writeFileSync(join(ROOT, apiFileOf(folder, subpath)), `${publicNames(text).join('\n')}\n`)
  }
}
