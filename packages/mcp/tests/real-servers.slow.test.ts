import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServer, programReach, textOf, untilConnected } from './support/open-server.ts'

const programs = createRequire(import.meta.url)
function programOf(name: string): string {
  return join(programs.resolve(`@modelcontextprotocol/${name}/package.json`), '..', 'dist', 'index.js')
}

test('[TOOL9] the everything server is connected over stdio, listed, called and ended with its process', async () => {
  const open = openServer(programReach(programOf('server-everything'), ['stdio']))
  await untilConnected(open)
  console.log(
    open.server.status(),
    open.server.definitions().map((d) => d.name),
    open.server.logs(),
  )
  const result = await open.call('echo', { message: 'hello' })
  console.log(textOf(result))
  expect(open.groups.size).toBe(1)
})
