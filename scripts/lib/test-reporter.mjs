import { renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

import { ROOT } from './places.mjs'

/**
 * Writes what became of every test, and how often it was run again, to the file that `HOLDFAST_TEST_REPORT` names: whenever a
 * file has ended, so that a run which is killed has said what it had not come to the end of.
 */
export default class TestReporter {
  #expected = []
  #ended = new Map()
  #running = new Set()

  onTestRunStart(specifications) {
    this.#expected = specifications.map(({ moduleId }) => moduleId)
    this.#write([])
  }

  onTestModuleStart({ moduleId }) {
    this.#running.add(moduleId)
    this.#write([])
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.moduleId)
    this.#ended.set(module.moduleId, fileOf(module))
    this.#write(module.errors())
  }

  onTestRunEnd(modules, unhandledErrors) {
    this.#ended = new Map(modules.map((module) => [module.moduleId, fileOf(module)]))
    this.#write([...unhandledErrors, ...modules.flatMap((module) => module.errors())])
  }

  #write(errors) {
    const report = {
      files: [...this.#ended.values()],
      running: [...this.#running].filter((id) => !this.#ended.has(id)).map(pathOf),
      waiting: this.#expected.filter((id) => !this.#ended.has(id) && !this.#running.has(id)).map(pathOf),
      errors: errors.map(({ message }) => message),
    }
    const path = process.env.HOLDFAST_TEST_REPORT
    writeFileSync(`${path}.new`, JSON.stringify(report))
    renameSync(`${path}.new`, path)
  }
}

function pathOf(moduleId) {
  return relative(ROOT, moduleId)
}

function fileOf(module) {
  return { path: pathOf(module.moduleId), tests: [...module.children.allTests()].map(outcomeOf) }
}

function outcomeOf(test) {
  const { state, errors } = test.result()
  const { duration = 0, retryCount = 0 } = test.diagnostic() ?? {}
  return {
    name: test.fullName,
    state,
    milliseconds: Math.round(duration),
    retries: retryCount,
    messages: (errors ?? []).map(({ message }) => message),
  }
}
