#!/usr/bin/env node
import { runCommand } from '../dist/command/run.js'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())
const say = (line) => process.stdout.write(`${line}\n`)
const complain = (line) => process.stderr.write(`${line}\n`)
process.exitCode = await runCommand({ args: process.argv.slice(2), say, complain, signal: interrupted.signal })
