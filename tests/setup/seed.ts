import fc from 'fast-check'

/**
 * The seed of every property test that names none: a fixed one, so that a run that fails fails again. `HOLDFAST_SEED` plays
 * another, and the full counts (`HOLDFAST_FULL=1`) play a new one each time; a property that fails prints it.
 */
const FIXED_SEED = 20_261_122

const asked = process.env['HOLDFAST_SEED']
const seed = asked === undefined ? FIXED_SEED : Number(asked)

if (asked !== undefined || process.env['HOLDFAST_FULL'] === undefined) fc.configureGlobal({ seed })
