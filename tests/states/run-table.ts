import type { Case } from './case.ts'
import { runCase } from './run-case.ts'

/** A case and what was wrong after it. */
export interface Judged {
  readonly one: Case
  readonly problems: readonly string[]
}

/** Runs cases, so many at a time, and tells of each as it is over. */
export async function runTable(
  cases: readonly Case[],
  { atOnce, onJudged }: { readonly atOnce: number; readonly onJudged: (judged: Judged) => void },
): Promise<readonly Judged[]> {
  const waiting = [...cases]
  const judged: Judged[] = []
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const done = { one, problems: await runCase(one) }
      judged.push(done)
      onJudged(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return judged
}
