/** Who writes the entries of a run. */
export const ENGINE = { type: 'engine' } as const
