import type { MachineParts, SimulatedMachine } from '@holdfast/engine/testing'
import { createSimulatedStore, type Failures } from '@holdfast/store/testing'

/** The simulated store as the machine of a world. */
export function openMachine({ clock, random, failureAt, defect }: MachineParts): SimulatedMachine {
  const failures: Failures = { at: failureAt }
  return createSimulatedStore({ clock, random, failures, ...(defect === null ? {} : { defect }) })
}
