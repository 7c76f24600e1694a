import { join } from 'node:path'
import { KEY, openAgentsWorld } from './agents-world.ts'
const bin = join(import.meta.dirname, '../../../../node_modules/.cache/holdfast-agents/node_modules/.bin')
const which = process.argv[2] ?? 'opencode'
const world = await openAgentsWorld(bin, { parts: [{ type: 'text', text: 'This is the answer of the provider.' }] })
try {
  const c = await world.open(`external:${which}`)
  for (const text of ['Say hello.', 'Say it again.']) {
    const t = Date.now()
    const end = await c.turn(text)
    console.log(Date.now() - t, 'ms', JSON.stringify(end))
  }
  console.log(await c.answers())
  for (const e of await c.entries()) console.log(e.seq, e.type, JSON.stringify(e).slice(0, 400))
  for (const r of world.provider.requests) console.log(r.path, r.model, r.status, JSON.stringify(r.usage), JSON.stringify(r.violations).slice(0, 300))
  console.log('pids', await world.agentPids())
} finally {
  console.log(world.program.output().slice(-1500).replaceAll(KEY, 'KEY'))
  await world.close()
}
