import { createFolderWatch, createSurveyor, createWorkspaceTools, openWorkspace } from '@holdfast/toolbox'
import { systemClock } from './system-clock.ts'
import { callTool, PLAIN_MACHINE } from './workbench.ts'

/** A program that runs one command in a folder and is killed in it. */
const [root = '', folder = ''] = process.argv.slice(2)
const watch = createFolderWatch({ surveyor: createSurveyor({ folder, clock: systemClock }), clock: systemClock })
const workspace = openWorkspace({ closed: [], root })
const blobSink = { keep: () => Promise.reject(new Error('Nothing is kept before the command has ended')) }
const machine = PLAIN_MACHINE
const options = { workspace, machine, blobSink, watch, conversationId: 'conversation_1' }
const shell = createWorkspaceTools(options, systemClock).tools.find(({ definition }) => definition.name === 'shell')
if (!shell) throw new Error('There is no shell')
const command =
  'echo two > changed.txt; rm gone.txt; mkdir made; echo new > made/new.txt; echo $$ > ../ready; exec sleep 600'
await callTool(shell, { command })
