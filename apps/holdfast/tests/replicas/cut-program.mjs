import { registerHooks } from 'node:module'

/** Has files of the built program say something else, each at one place. */
export function cutProgram(cuts) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const cut = cuts.find(({ file }) => url.endsWith(file))
      if (!cut) return loaded
      const source = String(loaded.source)
      if (!source.includes(cut.from)) throw new Error(`${url} does not hold ${cut.from}`)
      return { ...loaded, source: source.replace(cut.from, cut.to) }
    },
  })
}
