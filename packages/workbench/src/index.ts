export {
  type AllowedWorkspace,
  type AllowedWorkspaceOptions,
  createAllowedWorkspace,
  WorkspaceUnusableError,
} from './allowed-workspace.ts'
export { HARMLESS_TOOLS } from './harmless-tools.ts'
export { createKnownFiles, type FileReader, type KnownFiles, type KnownFilesDeps } from './known-files.ts'
export { createSubAgentTool, type SubAgentDeps } from './sub-agent.ts'
export { createWorkbench, type Workbench, type WorkbenchDeps } from './workbench.ts'
