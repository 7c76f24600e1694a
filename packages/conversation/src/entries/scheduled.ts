import * as z from 'zod'
import { RuleAnnotations, ToolCategory } from '../rule-fields.ts'

/** A permission rule that a schedule gives its runs, beside those of their conversation. [SCHED14] */
const ScheduleAllowance = z.strictObject({
  id: z.string().min(1),
  effect: z.enum(['allow', 'ask', 'deny']),
  tool: z.string().min(1),
  pattern: z.string().exactOptional(),
  category: z.array(ToolCategory).min(1).exactOptional(),
  annotations: RuleAnnotations.exactOptional(),
})

/** Which occurrence of which schedule asks, and what its run may do, as the schedule said when it was claimed. [SCHED1, SCHED14] */
export const Scheduled = z.object({
  scheduleId: z.string().min(1),
  /** The planned instant, in milliseconds since the Unix epoch. */
  plannedAt: z.int().nonnegative(),
  /** `deny`: what would ask is denied. `allow-list`: so, but for what its rules allow. `full`: as in mode bypass. */
  unattended: z.enum(['deny', 'allow-list', 'full']),
  rules: z.array(ScheduleAllowance),
  /** What the run may cost, in US dollars; absent for no bound of the schedule. [COST7] */
  budget: z
    .object({
      limitUsd: z.number().nonnegative(),
      period: z.enum(['run', 'day', 'month']),
      /** The whole budget of the day or month, and what was used of it before; absent in logs of versions that did not say it. */
      wholeUsd: z.number().nonnegative().exactOptional(),
      usedUsd: z.number().nonnegative().exactOptional(),
    })
    .exactOptional(),
})
export type Scheduled = z.infer<typeof Scheduled>
