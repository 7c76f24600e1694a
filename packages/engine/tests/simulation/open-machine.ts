import { createSimulatedStore, type Failures } from '@holdfast/store/testing'
import type { MachineParts, SimulatedMachine } from './parts/simulated-machine.ts'

/** The simulated store as the machine of a world. */
export function openMachine({ clock, random, failureAt, defect }: MachineParts): SimulatedMachine {
  const failures: Failures = { at: failureAt }
  return createSimulatedStore({ clock, random, failures, ...(defect === null ? {} : { defect }) })
}
