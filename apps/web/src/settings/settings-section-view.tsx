import type { AccountApi, Client } from '@holdfast/client'
import { AdministrationPage } from '../administration/administration-page.tsx'
import { AgentsPage } from '../agents/agents-page.tsx'
import { MemoriesPage } from '../memories/memories-page.tsx'
import { PresetsPage } from '../presets/presets-page.tsx'
import { InboxPage } from '../schedules/inbox-page.tsx'
import { SchedulesPage } from '../schedules/schedules-page.tsx'
import type { SettingsSection } from '../shared/address.ts'
import { WorkspacesPage } from '../workspaces/workspaces-page.tsx'
import { AboutPage } from './about-page.tsx'
import { AppearancePage } from './appearance-page.tsx'
import { DataPage } from './data-page.tsx'
import { KeyboardPage } from './keyboard-page.tsx'
import { LimitsPage } from './limits-page.tsx'
import { ModelsPage } from './models-page.tsx'
import { NotificationsPage } from './notifications-page.tsx'
import { PermissionsPage } from './permissions-page.tsx'
import { ToolsPage } from './tools-page.tsx'
import { UsagePage } from './usage-page.tsx'

/** What one page of the settings holds. */
export function SettingsSectionView({
  client,
  account,
  section,
}: {
  readonly client: Client
  readonly account: AccountApi
  readonly section: SettingsSection
}) {
  switch (section) {
    case 'appearance':
      return <AppearancePage />
    case 'models':
      return <ModelsPage client={client} />
    case 'inbox':
      return <InboxPage client={client} />
    case 'schedules':
      return <SchedulesPage client={client} />
    case 'limits':
      return <LimitsPage client={client} account={account} />
    case 'agents':
      return <AgentsPage client={client} account={account} />
    case 'presets':
      return <PresetsPage client={client} />
    case 'workspaces':
      return <WorkspacesPage client={client} />
    case 'tools':
      return <ToolsPage client={client} />
    case 'permissions':
      return <PermissionsPage client={client} />
    case 'memories':
      return <MemoriesPage client={client} />
    case 'notifications':
      return <NotificationsPage client={client} />
    case 'keyboard':
      return <KeyboardPage />
    case 'data':
      return <DataPage client={client} />
    case 'usage':
      return <UsagePage client={client} />
    case 'administration':
      return <AdministrationPage client={client} account={account} />
    case 'about':
      return <AboutPage client={client} />
  }
}
