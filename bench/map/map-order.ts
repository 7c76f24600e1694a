import type { MapOrder } from '@holdfast/repository-map'

/** A map of usual size of a folder, for a text. */
export function orderOf(rootPath: string, focus: string): MapOrder {
  return {
    rootPath,
    focus,
    closedPaths: [],
    hardLinks: 'use',
    mayShow: async () => true,
    budgetTokens: 2_000,
    tokensOf: (text) => Math.ceil(text.length / 3.5),
    page: 1,
  }
}
