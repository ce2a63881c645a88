import { randomBytes, randomUUID } from 'node:crypto';
import type { GateLink } from '../../plan/people/notice';
import type { ArtifactRef } from '../../plan/run/artifact';
import { type Address, formatAddress } from '../../plan/steps/address';
import type { CallerEnvironment, EnvironmentStore } from '../caller-environments';
import { isFolderGone } from '../directory/folder-gone';
import type { DrainedHost, DrainedHosts } from '../drained-hosts';
import type { GateLinks } from '../gate-links';
import { type Handovers, YOUNGER_FIRST_MS } from '../handovers';
import type { HostPresence, SaysOfItself } from '../host-presence';
import type { NamedOutputs } from '../named-outputs';
import type { Records } from '../records';
import type { RefusedAnswers } from '../refused-answers';
import type { StoreIdentity } from '../store-identity';
import { MemoryEnded } from './memory-ended';
import { MemoryGrants } from './memory-grants';
import { MemoryLogs } from './memory-logs';
import { memoryOldContent, memoryRetention } from './memory-retention';
import { MemorySlots } from './memory-slots';
import { MemoryArtifacts, MemoryControl, MemoryLedger, MemoryRuns } from './memory-store';

/** A whole store in memory, for what one process plays through. */
export function memoryRecords(nowMs: () => number = Date.now): Records {
  const ledger = new MemoryLedger();
  const runs = new MemoryRuns(ledger);
  const key = randomBytes(32);
  const hosts = new Map<string, number>();
  const saying = new Map<symbol, SaysOfItself>();
  const handedOver: HandedOver[] = [];
  return {
    artifacts: new MemoryArtifacts(),
    control: new MemoryControl(),
    ledger,
    runs,
    ended: new MemoryEnded(runs),
    logs: new MemoryLogs(),
    outputs: new MemoryOutputs(),
    environments: new MemoryEnvironments(),
    links: new MemoryLinks(),
    slots: new MemorySlots(nowMs),
    grants: new MemoryGrants(),
    drained: new MemoryDrained(nowMs),
    retention: memoryRetention(nowMs),
    oldContent: memoryOldContent(nowMs),
    identity: memoryIdentity(),
    key: async () => key,
    ready: async () => undefined,
    presence: () => presenceIn(hosts, saying),
    handovers: async () => handoversIn(handedOver, nowMs),
    refusedAnswers: (): RefusedAnswers => ({ add: () => undefined, written: async () => undefined }),
  };
}

class MemoryOutputs implements NamedOutputs {
  private readonly kept = new Set<string>();

  async layOut({ name }: ArtifactRef, workflowId: string, address: Address): Promise<void> {
    if (name !== undefined) this.kept.add(outputName(workflowId, address, name));
  }

  async locate(workflowId: string, address: Address, name: string): Promise<string | undefined> {
    const place = outputName(workflowId, address, name);
    return this.kept.has(place) ? `memory:${place}` : undefined;
  }
}

/** The tries of a round share a name: a later one replaces an earlier one's output. */
function outputName(workflowId: string, address: Address, name: string): string {
  return `${workflowId}/${formatAddress({ ...address, try: 1 })}/${name}`;
}

class MemoryEnvironments implements EnvironmentStore {
  private readonly kept = new Map<string, CallerEnvironment>();

  async callerOf(workflowId: string): Promise<CallerEnvironment> {
    return this.kept.get(workflowId) ?? { env: {} };
  }

  async inherit(workflowId: string, parent: string): Promise<void> {
    const caller = this.kept.get(parent);
    if (caller && !this.kept.has(workflowId)) this.kept.set(workflowId, caller);
  }

  async write(workflowId: string, { env, ...caller }: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<void> {
    const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    this.kept.set(workflowId, { env: Object.fromEntries(variables), ...caller });
  }

  async remove(workflowId: string): Promise<void> {
    for (const id of [...this.kept.keys()]) if (id === workflowId || id.startsWith(`${workflowId}.`)) this.kept.delete(id);
  }
}

class MemoryDrained implements DrainedHosts {
  private readonly kept = new Map<string, DrainedHost>();
  constructor(private readonly nowMs: () => number) {}

  async drain(host: string, by: string): Promise<void> {
    if (!this.kept.has(host)) this.kept.set(host, { host, by, since: new Date(this.nowMs()).toISOString() });
  }

  async undrain(host: string): Promise<boolean> {
    return this.kept.delete(host);
  }

  async list(): Promise<DrainedHost[]> {
    return [...this.kept.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
  }
}

class MemoryLinks implements GateLinks {
  private readonly kept = new Map<string, GateLink>();

  async put(key: string, link: GateLink): Promise<void> {
    this.kept.set(key, link);
  }

  async find(key: string): Promise<GateLink | undefined> {
    return this.kept.get(key);
  }
}

function memoryIdentity(): StoreIdentity {
  const [storeId, id] = [`memory:${randomUUID()}`, randomUUID()];
  let known: string | undefined;
  return {
    storeId: async () => storeId,
    isGone: async (other) => isFolderGone(other),
    installation: async () => {
      known = id;
      return id;
    },
    knownInstallation: async () => known,
    check: () => undefined,
  };
}

/** A worker in memory never dies without a word. */
function presenceIn(hosts: Map<string, number>, saying: Map<symbol, SaysOfItself>): HostPresence {
  const count = (host: string, by: number): void => void hosts.set(host, (hosts.get(host) ?? 0) + by);
  return {
    async announce(host, says) {
      count(host, 1);
      const worker = Symbol(host);
      if (says) saying.set(worker, says);
      let stopped = false;
      return async () => {
        if (!stopped) count(host, -1);
        stopped = true;
        saying.delete(worker);
      };
    },
    isAlive: async (host) => (hosts.get(host) ?? 0) > 0,
    workers: async () =>
      await Promise.all([...saying.values()].map(async (says) => ({ ...(await says()), saidAtMs: Date.now(), ageMs: 0 }))),
  };
}

interface HandedOver {
  works: readonly string[];
  stoppedAtMs: number;
  atMs: number;
}

function handoversIn(handedOver: HandedOver[], nowMs: () => number): Handovers {
  const beganAtMs = nowMs();
  let stoppedAtMs: number | undefined;
  return {
    async stopping() {
      stoppedAtMs ??= nowMs();
    },
    async handOver(works) {
      handedOver.push({ works, stoppedAtMs: stoppedAtMs ?? nowMs(), atMs: nowMs() });
    },
    isForYounger: async (work) =>
      handedOver.some((one) => one.works.includes(work) && beganAtMs <= one.stoppedAtMs && nowMs() - one.atMs < YOUNGER_FIRST_MS),
  };
}
