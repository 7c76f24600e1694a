/** Loads a module and prints the addresses of all that came with it as one line of JSON. Argument: its address. */
import { registerHooks } from 'node:module'

const loaded: string[] = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  },
})
await import(process.argv[2] ?? '')
console.log(JSON.stringify(loaded))
