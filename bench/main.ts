import { cpus } from 'node:os'
import { cache } from './context/cache.ts'
import { request } from './context/request.ts'
import { engineDelta } from './engine/engine-delta.ts'
import { permission } from './engine/permission.ts'
import { stop } from './engine/stop.ts'
import { toolCall } from './engine/tool-call.ts'
import { toolFaults } from './engine/tool-faults.ts'
import { watchedCommand } from './engine/watched-command.ts'
import type { Benchmark, Figure } from './lib/measure.ts'
import { append } from './log/append.ts'
import { fold } from './log/fold.ts'
import { memory as readMemory } from './log/memory.ts'
import { open } from './log/open.ts'
import { scaleLog } from './log/scale-log.ts'
import { search } from './log/search.ts'
import { tail } from './log/tail.ts'
import { map } from './map/map.ts'
import { terminal } from './places/terminal.ts'
import { worktree } from './places/worktree.ts'
import { eventStream } from './provider/event-stream.ts'
import { proxy } from './proxy/proxy.ts'
import { replicas } from './replicas/replicas.ts'
import { concurrency, firstDelta, memory, relay, startup } from './server/benchmarks.ts'
import { gateway } from './server/gateway.ts'
import { heldUp } from './server/held-up.ts'
import { kill } from './server/kill.ts'
import { packed } from './server/packed.ts'
import { pages } from './server/pages.ts'
import { readings } from './server/readings.ts'
import { remote } from './server/remote.ts'
import { restart } from './server/restart.ts'
import { turn } from './server/turn.ts'
import { upgrade } from './server/upgrade.ts'
import { canvas } from './web/canvas.ts'
import { memoryPage } from './web/memory-page.ts'
import { openPage } from './web/open-page.ts'
import { review } from './web/review.ts'
import { streamPage } from './web/stream-page.ts'
import { typePage } from './web/type-page.ts'

const BENCHMARKS: readonly Benchmark[] = [
  append,
  tail,
  scaleLog,
  open,
  search,
  fold,
  readMemory,
  request,
  cache,
  eventStream,
  engineDelta,
  stop,
  toolCall,
  permission,
  toolFaults,
  watchedCommand,
  map,
  worktree,
  terminal,
  proxy,
  gateway,
  packed,
  upgrade,
  relay,
  firstDelta,
  concurrency,
  memory,
  startup,
  turn,
  kill,
  restart,
  readings,
  pages,
  heldUp,
  remote,
  replicas,
  openPage,
  review,
  streamPage,
  typePage,
  memoryPage,
  canvas,
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const figures: Figure[] = []
console.log(
  `${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model} · Node ${process.version}\n`,
)
for (const benchmark of BENCHMARKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`${benchmark.name}: ${benchmark.about}`)
  const own = await benchmark.run((line) => console.log(`  ${line}`))
  for (const figure of own) console.log(`  ${inWords(figure)}`)
  console.log()
  figures.push(...own)
}
console.log(
  JSON.stringify({
    results: figures.map(({ name, value, unit, baseline, ratio }) => ({ name, value, unit, baseline, ratio })),
  }),
)

function inWords({ name, value, unit, baseline, ratio, goal, met }: Figure): string {
  const beside =
    baseline === null ? '' : ` beside ${round(baseline)} ${unit}, ratio ${ratio === null ? '–' : round(ratio)}`
  return `${met ? '✓' : '✕'} ${name}: ${round(value)} ${unit}${beside} (goal: ${goal})`
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
