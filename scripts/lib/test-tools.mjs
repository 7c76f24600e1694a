import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

/** What the full tests need from the system, besides Node. */
export const TEST_TOOLS = [
  {
    name: 'Chromium',
    variable: 'HOLDFAST_CHROMIUM',
    // The engine without a browser's windows: a new page costs it 0.8 s of a processor, and the whole browser 2.2.
    programs: ['chromium-headless-shell'],
    instead: ['chromium', 'chromium-browser', 'google-chrome'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'chromium-headless-shell',
  },
  {
    name: 'Chromium with its windows',
    variable: 'HOLDFAST_WHOLE_CHROMIUM',
    programs: ['chromium'],
    instead: ['chromium-browser', 'google-chrome'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'chromium',
  },
  {
    name: 'PostgreSQL',
    variable: 'HOLDFAST_POSTGRES_BIN',
    programs: ['initdb', 'postgres'],
    folders: ['/usr/lib/postgresql/*/bin'],
    means: 'folder',
    debianPackage: 'postgresql',
    prepare: keepPostgresFromStarting,
  },
  {
    name: 'strace',
    variable: 'HOLDFAST_STRACE',
    programs: ['strace'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'strace',
  },
  {
    name: 'bubblewrap',
    variable: 'HOLDFAST_BWRAP',
    programs: ['bwrap'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'bubblewrap',
  },
  {
    name: 'slirp4netns',
    variable: 'HOLDFAST_SLIRP4NETNS',
    programs: ['slirp4netns'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'slirp4netns',
  },
  {
    name: 'ripgrep',
    variable: 'HOLDFAST_RIPGREP',
    programs: ['rg'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'ripgrep',
  },
  {
    name: 'Redis',
    variable: 'HOLDFAST_REDIS_SERVER',
    programs: ['redis-server'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'redis-server',
    prepare: keepServicesFromStarting,
  },
  {
    name: 'HAProxy',
    variable: 'HOLDFAST_HAPROXY',
    programs: ['haproxy'],
    folders: ['/usr/sbin'],
    means: 'program',
    debianPackage: 'haproxy',
    prepare: keepServicesFromStarting,
  },
  {
    name: 'nginx',
    variable: 'HOLDFAST_NGINX',
    programs: ['nginx'],
    folders: ['/usr/sbin'],
    means: 'program',
    debianPackage: 'nginx-light',
    prepare: keepServicesFromStarting,
  },
  {
    name: 'Caddy',
    variable: 'HOLDFAST_CADDY',
    programs: ['caddy'],
    folders: ['/usr/bin'],
    means: 'program',
    debianPackage: 'caddy',
    prepare: keepServicesFromStarting,
  },
  {
    name: 'PgBouncer',
    variable: 'HOLDFAST_PGBOUNCER',
    programs: ['pgbouncer'],
    folders: ['/usr/sbin'],
    means: 'program',
    debianPackage: 'pgbouncer',
    prepare: keepServicesFromStarting,
  },
  {
    name: 'faketime',
    variable: 'HOLDFAST_FAKETIME',
    programs: ['libfaketime.so.1'],
    folders: ['/usr/lib/*/faketime'],
    means: 'folder',
    debianPackage: 'faketime',
  },
]

/** Debian's package makes a cluster and starts it; the tests bring up their own, so it is told not to. */
function keepPostgresFromStarting() {
  if (existsSync(CLUSTER_SETTINGS)) return
  mkdirSync('/etc/postgresql-common', { recursive: true })
  writeFileSync(CLUSTER_SETTINGS, 'create_main_cluster = false\n')
}

/**
 * Debian's packages start their services; the tests bring up their own. Where nobody has said what may be started, nothing is
 * while the package comes (https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt).
 */
function keepServicesFromStarting() {
  if (existsSync(SERVICE_POLICY)) return undefined
  writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return () => rmSync(SERVICE_POLICY, { force: true })
}
