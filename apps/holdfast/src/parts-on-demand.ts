import type { Accounts, AccountsDeps } from '@holdfast/server'
import type { Tracing } from './telemetry/open-tracing.ts'
import { VERSION } from './version.ts'

/** The parts that send spans take time to load; most installations send none. */
export async function openTracingTo(endpoint: string): Promise<Tracing> {
  const { openTracing } = await import('./telemetry/open-tracing.ts')
  return openTracing({ endpoint, version: VERSION })
}

/** The library behind accounts takes time to load and memory to keep; on one's own computer there are none. */
export async function openAccountsOf(deps: AccountsDeps): Promise<Accounts> {
  const { openAccounts } = await import('@holdfast/server/accounts')
  return openAccounts(deps)
}
