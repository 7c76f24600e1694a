import type { BilledConversation, BillRow, Tokens } from './compare-bill.ts'

const KINDS: readonly (readonly [keyof Tokens, string])[] = [
  ['inputTokens', 'input'],
  ['cacheReadTokens', 'cache read'],
  ['cacheCreation5mTokens', 'cache written'],
  ['outputTokens', 'output'],
]

/** The bill of a conversation as a table: one figure where both sides say the same, else ours and theirs. */
export function billTable(bill: BilledConversation): string {
  const { title, acts, turnCount, checkpointCount, subAgentCount, measured, refused, cutAfterUsage, untold } = bill
  const rows: readonly (readonly [string, BillRow])[] = [
    ...Object.entries(measured).map(([model, row]) => [`measured, ${model}`, row] as const),
    ['refused', refused],
    ['cut, its prompt told', cutAfterUsage],
    ['cut or silent, nothing told: estimated', untold],
  ]
  const table = [
    ['requests', 'count', ...KINDS.map(([, name]) => name)],
    ['---', '---', ...KINDS.map(() => '---')],
    ...rows.map(([name, row]) => [name, row.requestCount, ...KINDS.map(([kind]) => both(row, kind))]),
  ]
  const about = `${title}: ${acts.length} acts, ${turnCount} turns, ${checkpointCount} checkpoints, ${subAgentCount} sub-agents`
  return `${about}\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function both({ ours, theirs }: BillRow, kind: keyof Tokens): string {
  return ours[kind] === theirs[kind] ? `${ours[kind]}` : `${ours[kind]} for ${theirs[kind]}`
}
