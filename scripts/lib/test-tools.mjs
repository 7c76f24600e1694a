import { existsSync, mkdirSync, writeFileSync } from 'node:fs'

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'

/** What the full tests need from the system, besides Node. */
export const TEST_TOOLS = [
  {
    name: 'Chromium',
    variable: 'HOLDFAST_CHROMIUM',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    anyOf: true,
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'chromium',
  },
  {
    name: 'PostgreSQL',
    variable: 'HOLDFAST_POSTGRES_BIN',
    programs: ['initdb', 'postgres'],
    anyOf: false,
    folders: ['/usr/lib/postgresql/*/bin'],
    means: 'folder',
    debianPackage: 'postgresql',
    prepare: keepPostgresFromStarting,
  },
  {
    name: 'strace',
    variable: 'HOLDFAST_STRACE',
    programs: ['strace'],
    anyOf: false,
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'strace',
  },
  {
    name: 'bubblewrap',
    variable: 'HOLDFAST_BWRAP',
    programs: ['bwrap'],
    anyOf: false,
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'bubblewrap',
  },
  {
    name: 'slirp4netns',
    variable: 'HOLDFAST_SLIRP4NETNS',
    programs: ['slirp4netns'],
    anyOf: false,
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'slirp4netns',
  },
  {
    name: 'ripgrep',
    variable: 'HOLDFAST_RIPGREP',
    programs: ['rg'],
    anyOf: false,
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'ripgrep',
  },
]

/** Debian's package makes a cluster and starts it; the tests bring up their own, so it is told not to. */
function keepPostgresFromStarting() {
  if (existsSync(CLUSTER_SETTINGS)) return
  mkdirSync('/etc/postgresql-common', { recursive: true })
  writeFileSync(CLUSTER_SETTINGS, 'create_main_cluster = false\n')
}
