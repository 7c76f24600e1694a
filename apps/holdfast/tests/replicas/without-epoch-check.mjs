import { registerHooks } from 'node:module'

/** What is taken out of the built program: the checks that entries and drafts of a run are of the epoch of the lease. */
const CUTS = [
  { file: '/store/dist/postgres/tables/append.js', from: 'if (epoch !== currentEpoch)', to: 'if (false)' },
  {
    file: '/store/dist/postgres/tables/drafts.js',
    from: 'JOIN held USING (conversation_id, epoch)',
    to: 'JOIN held USING (conversation_id)',
  },
]

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const cut = CUTS.find(({ file }) => url.endsWith(file))
    if (!cut) return loaded
    const source = String(loaded.source)
    if (!source.includes(cut.from)) throw new Error(`${url} does not hold ${cut.from}`)
    return { ...loaded, source: source.replace(cut.from, cut.to) }
  },
})
