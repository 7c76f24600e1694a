import { parseArgs } from 'node:util'

/** What is to be counted, of which agents. */
export interface Counts {
  readonly type: 'counts'
  readonly agents: readonly string[]
  readonly cancels: number
  readonly turns: number
  readonly cycles: number
  readonly drive: boolean
  readonly seed: number
}

const AGENTS = ['opencode', 'gemini', 'claude', 'codex']

const HELP = `npm run agents -- [options]

Drives real external agents offline, against the strict provider, and ends with 1 where something is wrong.

  --agents A,B   of ${AGENTS.join(', ')}; all four where it is not said
  --cancels N    stops at random moments, over all agents (1000)
  --turns N      turns whose bill is compared to the token, with stops, kills, retries, titles and summaries (100)
  --cycles N     starts and ends of Holdfast with an agent, after which nothing of it may live (200)
  --drive        first one turn, a command that asks, a stop, a kill, a house tool and the bill, of each agent
  --seed N       what is done when (1)
  --help         this`

/** Reads the options of the counts; what is no option is refused in words. */
export function readCounts(
  args: readonly string[],
): Counts | { readonly type: 'words'; readonly words: string; readonly exitCode: number } {
  const refused = (words: string) => ({ type: 'words', words: `${words}\n\n${HELP}`, exitCode: 2 }) as const
  const read = readOptions(args)
  if (typeof read === 'string') return refused(read)
  if (read.help) return { type: 'words', words: HELP, exitCode: 0 }
  const agents = read.agents.split(',')
  const unknown = agents.filter((agent) => !AGENTS.includes(agent))
  if (unknown.length > 0) return refused(`There is no agent ${unknown.join(', ')}.`)
  const numbers = {
    cancels: Number(read.cancels),
    turns: Number(read.turns),
    cycles: Number(read.cycles),
    seed: Number(read.seed),
  }
  const wrong = Object.entries(numbers).filter(([, value]) => !Number.isSafeInteger(value) || value < 0)
  if (wrong.length > 0) return refused(`${wrong.map(([name]) => `--${name}`).join(', ')}: a whole number, 0 or more.`)
  return { type: 'counts', agents, drive: read.drive, ...numbers }
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        agents: { type: 'string', default: AGENTS.join(',') },
        cancels: { type: 'string', default: '1000' },
        turns: { type: 'string', default: '100' },
        cycles: { type: 'string', default: '200' },
        seed: { type: 'string', default: '1' },
        drive: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    // What Node refuses it names in words.
    if (error instanceof TypeError) return error.message
    throw error
  }
}
