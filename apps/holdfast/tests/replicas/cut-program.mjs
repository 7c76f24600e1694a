import { registerHooks } from 'node:module'

/** Has the built program say something else at places that it has once. */
export function cutProgram(cuts) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.includes('/holdfast/dist/')) return loaded
      return { ...loaded, source: cuts.reduce(withCut, String(loaded.source)) }
    },
  })
}

function withCut(program, { from, to }) {
  const [before, after, ...others] = program.split(from)
  if (others.length > 0) throw new Error(`The program has several places that hold ${from}`)
  return after === undefined ? program : before + to + after
}
