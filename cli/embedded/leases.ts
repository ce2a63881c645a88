import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../plan/defined';
import { isShortOfFiles } from '../../plan/error-code';
import { isJsonObject } from '../../plan/text/json';
import { hostName } from '../../records/locks/host-name';
import { identifySelf, isProcessIdentity, isRunning, type ProcessIdentity } from '../../records/locks/process-identity';
import { readJsonFile, writeJsonFile } from './json-file';

/**
 * Who needs the embedded server, one file each. Read and written only under the server's lock (`peek` reads without it).
 *
 * Invariants: 1. a lease counts as long as its process runs; 2. the identity of a worker that died stays on disk until the worker that took
 * it over releases its own lease, so that the death of the new worker loses none.
 */
const LEASE_ROLES = ['worker', 'look'] as const;
export type LeaseRole = (typeof LEASE_ROLES)[number];

export interface Lease {
  role: LeaseRole;
  process: ProcessIdentity;
  /** The identity under which this process polls Temporal. */
  identity: string;
  /** Identities of dead workers whose activities this process must fail, or is failing. */
  inherited: string[];
  /** ISO 8601. */
  since: string;
  /** Information that its process leaves for others; not read here. */
  about?: unknown;
}

export interface LeaseFile {
  path: string;
  lease: Lease;
}

export interface Leases {
  living: LeaseFile[];
  dead: LeaseFile[];
}

/** All leases of the folder, leaving out other files. */
export function readLeases(folder: string): Leases {
  const leases: Leases = { living: [], dead: [] };
  for (const path of leaseFilesOf(folder)) {
    const lease = readLease(path);
    if (lease !== undefined) leases[isRunning(lease.process) ? 'living' : 'dead'].push({ path, lease });
  }
  return leases;
}

/** The identity under which this process alone polls Temporal. */
export function newIdentity(): string {
  return `thermidor-${process.pid}-${randomBytes(3).toString('hex')}@${hostName()}`;
}

/** Takes a lease for this process. */
export function takeLease(folder: string, role: LeaseRole, inherited: string[], now: Date, about?: object): LeaseFile {
  const identity = newIdentity();
  const lease: Lease = {
    role,
    process: identifySelf(),
    identity,
    inherited,
    since: now.toISOString(),
    ...defined({ about }),
  };
  const path = join(folder, `${process.pid}-${randomBytes(3).toString('hex')}.json`);
  writeJsonFile(path, lease);
  return { path, lease };
}

export function dropLease({ path }: LeaseFile): void {
  rmSync(path, { force: true });
}

/** The identities of workers that died holding a lease. */
export function lostWorkersOf(dead: readonly LeaseFile[]): string[] {
  return [...new Set(dead.flatMap(({ lease }) => (lease.role === 'worker' ? [...lease.inherited, lease.identity] : lease.inherited)))];
}

function leaseFilesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (isShortOfFiles(error)) throw error;
    // No folder: nobody ever took a lease.
    return [];
  }
}

function readLease(path: string): Lease | undefined {
  const value = readJsonFile(path);
  if (!isJsonObject(value)) return undefined;
  const { role, process, identity, inherited, since, about } = value;
  if (!isProcessIdentity(process) || typeof identity !== 'string') return undefined;
  return {
    role: role === 'worker' ? role : 'look',
    process,
    identity,
    inherited: Array.isArray(inherited) ? inherited.filter((id) => typeof id === 'string') : [],
    since: typeof since === 'string' ? since : '',
    ...defined({ about }),
  };
}
