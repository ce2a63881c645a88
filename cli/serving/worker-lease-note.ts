import { createHash } from 'node:crypto';
import { isFailureCode } from '../../plan/run/failure';
import { isJsonObject } from '../../plan/text/json';
import { adapterSpecs } from '../../worker/adapter-specs';
import type { Configuration } from '../settings/configuration';
import { adapterLacks, type MissingRequirement, toolServerLacks } from './agent-requirements';

/**
 * The note that a working process leaves with its lease, so that a command that starts a run knows beforehand which agents it can ask, and
 * whether its settings are current. The note does not change while the process runs; no secret is in it.
 */
export interface WorkerLeaseNote {
  /** Digest of the settings that it has read. */
  settings: string;
  /** What the worker's environment lacks for an adapter, by the adapter's name. */
  adapters: Record<string, MissingRequirement>;
  /** What the worker's environment lacks for a tool server, by the server's name. */
  toolServers: Record<string, MissingRequirement>;
}

/** The lease of a process that is about to work. */
export async function workerLease(configuration: Configuration): Promise<{ role: 'worker'; about: WorkerLeaseNote }> {
  return { role: 'worker', about: await workerLeaseNote(configuration, process.env) };
}

export async function workerLeaseNote(configuration: Configuration, env: NodeJS.ProcessEnv): Promise<WorkerLeaseNote> {
  const { adapters, toolServers } = configuration;
  const lacking = async <T>(named: Iterable<[string, T]>, look: (name: string, spec: T) => Promise<MissingRequirement | undefined>) => {
    const found = await Promise.all([...named].map(async ([name, spec]) => [name, await look(name, spec)] as const));
    return Object.fromEntries(found.flatMap(([name, lacks]) => (lacks === undefined ? [] : [[name, lacks]])));
  };
  return {
    settings: settingsDigest(configuration),
    // Other processes cannot tell whether an application's own workers exist.
    adapters: await lacking(adapterSpecs(adapters.value), async (name, spec) =>
      spec.kind === 'own' ? undefined : await adapterLacks(name, spec, env),
    ),
    toolServers: await lacking(Object.entries(toolServers.value), async (name, spec) => await toolServerLacks(name, spec, env)),
  };
}

/** Undefined if a process of another version has left no note, or a different one. */
export function readWorkerLeaseNote(value: unknown): WorkerLeaseNote | undefined {
  if (!isJsonObject(value) || typeof value['settings'] !== 'string') return undefined;
  const { settings, adapters, toolServers } = value;
  return { settings, adapters: readLacking(adapters), toolServers: readLacking(toolServers) };
}

function readLacking(value: unknown): Record<string, MissingRequirement> {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.flatMap(([name, lacks]) => (isLacking(lacks) ? [[name, lacks]] : [])));
}

function isLacking(value: unknown): value is MissingRequirement {
  if (!isJsonObject(value)) return false;
  const { code, says } = value;
  return typeof code === 'string' && isFailureCode(code) && typeof says === 'string';
}

/** A digest of all settings that a worker is made with (start-own-worker.ts). */
export function settingsDigest(configuration: Configuration): string {
  const { adapters, models, defaultAdapter, toolServers, toolSettings, prices } = configuration;
  const { store, storeSchema, artifacts, channels, directory, callbacks, mail, pipelines } = configuration;
  const { agentsInFlight, cachedRuns, stackTraces, versions, load } = configuration;
  const agents = [adapters, models, defaultAdapter, toolServers, toolSettings, prices, agentsInFlight];
  const kept = [store, storeSchema, artifacts];
  const read = [...agents, ...kept, channels, directory, callbacks, mail, pipelines, cachedRuns, stackTraces, versions, load];
  return createHash('sha256')
    .update(JSON.stringify(read.map(({ value }) => value)))
    .digest('hex');
}
