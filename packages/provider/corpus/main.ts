import { replayPackageStreams } from './replay-package-streams.ts'
import { replayStreams } from './replay-streams.ts'

/** Replays every recorded stream of a folder, and prints what came of it as one line. */
const folder = process.argv[2] ?? ''
const packages = await replayPackageStreams(folder)
const own = replayStreams(folder, 'quick')
process.stdout.write(`${JSON.stringify({ own, packages })}\n`)
