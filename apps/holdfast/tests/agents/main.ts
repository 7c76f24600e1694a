import { openAgentsWorld } from './agents-world.ts'
import { compareBill } from './bill.ts'
import { takeBilledTurns } from './billed-turns.ts'
import { createDice } from './dice.ts'
import { driveAgent } from './drive-agent.ts'
import { installAgents } from './install-agents.ts'
import { stopAtRandom } from './random-stops.ts'
import { readCounts } from './read-counts.ts'

const asked = readCounts(process.argv.slice(2))
if (asked.type === 'words') {
  const say = asked.exitCode === 0 ? console.log : console.error
  say(asked.words)
  process.exit(asked.exitCode)
}
const { agents, cancels, turns, cycles, drive, seed } = asked
console.log(`seed ${seed}`)
const dice = createDice(seed)
const bin = await installAgents('four')
const says = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

const driven: Record<string, unknown> = {}
for (const agent of drive ? agents : []) driven[agent] = await driveAgent(bin, agent)

const stops = { cancels: 0, hangs: 0, doubledEnds: 0, lateUpdates: 0, longestStopMs: 0, withoutText: 0 }
const bills: Awaited<ReturnType<typeof bill>>[] = []
for (const agent of agents) bills.push(await bill(agent))

async function bill(agent: string) {
  const world = await openAgentsWorld(bin, says('Understood.'))
  try {
    const stopped = await world.open(`external:${agent}`)
    await stopAtRandom(world, stopped, { count: Math.ceil(cancels / agents.length), dice, stops })
    console.log(`${agent}: ${JSON.stringify(stops)}`)
    world.provider.otherwise(says('Understood.'))
    const billed = await world.open(`external:${agent}`)
    const done = await takeBilledTurns(world, billed, { count: Math.ceil(turns / agents.length), dice })
    const logs = [await stopped.entries(), await billed.entries()]
    const compared = { agent, ...done, ...(await compareBill(world.provider, logs)) }
    console.log(JSON.stringify(compared))
    return compared
  } finally {
    await world.close()
  }
}

/** So many cycles are told of together. */
const TOLD_AFTER = 10
let survivors = 0
for (let cycle = 0; cycle < cycles; cycle += 1) {
  const world = await openAgentsWorld(bin, says('Hello.'))
  let pids: readonly number[] = []
  try {
    await (await world.open(`external:${agents[cycle % agents.length]}`)).turn('Hello.')
    pids = await world.agentPids()
  } finally {
    await world.close()
  }
  survivors += (await world.agentPids()).filter((pid) => pids.includes(pid)).length
  if ((cycle + 1) % TOLD_AFTER === 0) console.log(`${cycle + 1} cycles: ${survivors} survivors`)
}

console.log(JSON.stringify({ seed, ...stops, cycles, survivors, driven, bills }))
const isRight =
  stops.hangs + stops.doubledEnds + stops.lateUpdates + stops.withoutText + survivors === 0 &&
  Object.values(driven).every((acts) => Object.values(acts ?? {}).every((came) => came === 'ok')) &&
  bills.every((one) => one.failed + one.past + one.doubled + one.differing.length === 0)
process.exitCode = isRight ? 0 : 1
