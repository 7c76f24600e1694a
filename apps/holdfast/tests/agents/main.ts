import { parseArgs } from 'node:util'
import { type AgentsWorld, openAgentsWorld, type TestedConversation } from './agents-world.ts'
import { compareBill } from './bill.ts'
import { installAgents } from './install-agents.ts'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: 'opencode,gemini,claude,codex' },
    cancels: { type: 'string', default: '1000' },
    cycles: { type: 'string', default: '200' },
    turns: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})

/** Numbers between 0 and 1 that a seed repeats. */
function createDice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const dice = createDice(Number(values.seed))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const agents = values.agents.split(',')
const bin = await installAgents('four')
/** A stop has this long until its turn has an end, in milliseconds: what the rule gives, and what writing it takes. */
const STOP_LIMIT_MS = 6_000

const report = { cancels: 0, hangs: 0, doubledEnds: 0, lateUpdates: 0, longestStopMs: 0, withoutText: 0 }

/** Stops turns at random moments; what an answer says names its turn, so that nothing late can hide. */
async function cancel(talk: TestedConversation, { provider }: AgentsWorld, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const [stopped, whole] = [`word${turn}a`, `word${turn}b`]
    provider.otherwise({ parts: [{ type: 'text', text: `${stopped} `.repeat(400) }], deltasPerSecond: 60 })
    const before = (await talk.ofType('run-started')).filter(({ purpose }) => purpose === 'turn').length
    await talk.send(`Say ${stopped}.`)
    await pause(dice() * 1_500)
    const at = performance.now()
    await talk.stop()
    await talk.turnEnd(before + 1)
    const tookMs = performance.now() - at
    report.longestStopMs = Math.max(report.longestStopMs, Math.round(tookMs))
    if (tookMs > STOP_LIMIT_MS) report.hangs += 1
    provider.otherwise({ parts: [{ type: 'text', text: whole }] })
    const answered = (await talk.answers()).length
    const end = await talk.turn(`Say ${whole}.`)
    const said = (await talk.answers()).slice(answered)
    if (end['outcome'] !== 'completed' || !said.includes(whole)) report.withoutText += 1
    if (said.includes(stopped)) {
      report.lateUpdates += 1
      console.error(`Late in turn ${turn}: ${said.slice(0, 200)}`)
    }
    const ends = (await talk.ofType('run-finished')).map(({ runId }) => runId)
    if (new Set(ends).size !== ends.length) report.doubledEnds += 1
    report.cancels += 1
  }
}

const bills: Record<string, unknown>[] = []
for (const agent of agents) {
  const world = await openAgentsWorld(bin, { parts: [{ type: 'text', text: 'Understood.' }] })
  try {
    const talk = await world.open(`external:${agent}`)
    await cancel(talk, world, Math.ceil(Number(values.cancels) / agents.length))
    const logs = [await talk.entries()]
    world.provider.otherwise({ parts: [{ type: 'text', text: 'Understood.' }] })
    const billed = await world.open(`external:${agent}`)
    let failed = 0
    for (let turn = 0; turn < Math.ceil(Number(values.turns) / agents.length); turn += 1) {
      // A tenth is killed with all of Holdfast, the rest answers.
      if (dice() < 0.1) await world.killAndStart()
      const end = await billed.turn(`Turn ${turn}.`)
      if (end['outcome'] !== 'completed') failed += 1
    }
    logs.push(await billed.entries())
    bills.push({ agent, failed, ...(await compareBill(world.provider, logs)) })
  } finally {
    await world.close()
  }
}

let survivors = 0
for (let cycle = 0; cycle < Number(values.cycles); cycle += 1) {
  const world = await openAgentsWorld(bin, { parts: [{ type: 'text', text: 'Hello.' }] })
  let pids: readonly number[] = []
  try {
    await (await world.open(`external:${agents[cycle % agents.length]}`)).turn('Hello.')
    pids = await world.agentPids()
  } finally {
    await world.close()
  }
  survivors += (await world.agentPids()).filter((pid) => pids.includes(pid)).length
}

console.log(JSON.stringify({ ...report, cycles: Number(values.cycles), survivors, bills }))
const isRight =
  report.hangs + report.doubledEnds + report.lateUpdates + report.withoutText + survivors === 0 &&
  bills.every(({ past, differing, doubled }) => past === 0 && doubled === 0 && String(differing) === '')
process.exitCode = isRight ? 0 : 1
