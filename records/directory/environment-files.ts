import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { field, isJsonObject } from '../../plan/text/json';
import type { CallerEnvironment, EnvironmentStore } from '../caller-environments';
import { createFile, namesIn, onDisk, readIfThere, replaceFile, type WriteTarget } from './durable-file';
import { fileName } from './file-name';
import { scratchOf, stateLayout } from './state-layout';

/**
 * The environments of callers in a directory: `<root>/environments/<workflowId>.json`, `{env, cwd?}`. They are full of secrets, so only its
 * owner can access a file (0600). The starter of a run writes its file first, and removes it when the run is over.
 *
 * Without a file, commands see the worker's environment, except Thermidor's own configuration: its keys are no command's business.
 */
export class EnvironmentFiles implements EnvironmentStore {
  private readonly folder: string;

  constructor(
    root: string,
    private readonly worker: NodeJS.ProcessEnv = process.env,
  ) {
    this.folder = stateLayout(root).environments;
  }

  async callerOf(workflowId: string): Promise<CallerEnvironment> {
    const path = this.pathOf(workflowId);
    const text = await this.onDisk(() => readIfThere(path));
    return text === undefined ? { env: withoutOurs(this.worker) } : readCaller(path, text.toString('utf8'));
  }

  async write(workflowId: string, caller: { env: NodeJS.ProcessEnv; cwd?: string }): Promise<void> {
    const content: CallerEnvironment = { env: definedVariables(caller.env), ...defined({ cwd: caller.cwd }) };
    await this.onDisk(() => replaceFile(this.target(workflowId), JSON.stringify(content)));
  }

  async inherit(workflowId: string, parent: string): Promise<void> {
    const text = await this.onDisk(() => readIfThere(this.pathOf(parent)));
    if (text !== undefined) await this.onDisk(() => createFile(this.target(workflowId), text));
  }

  async remove(workflowId: string): Promise<void> {
    const beginning = `${fileName(workflowId)}.`;
    const files = await this.onDisk(() => namesIn(this.folder));
    const ours = files.filter((name) => name.startsWith(beginning) && name.endsWith('.json'));
    await Promise.all(ours.map((name) => this.onDisk(() => rm(join(this.folder, name), { force: true }))));
  }

  private target(workflowId: string): WriteTarget {
    return { path: this.pathOf(workflowId), scratch: scratchOf(this.folder) };
  }

  private pathOf(workflowId: string): string {
    return join(this.folder, `${fileName(workflowId)}.json`);
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the environments', this.folder, work);
  }
}

const OURS = 'THERMIDOR_';

function withoutOurs(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(definedVariables(environment)).filter(([name]) => !name.startsWith(OURS)));
}

function definedVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function readCaller(path: string, text: string): CallerEnvironment {
  try {
    const read: unknown = JSON.parse(text);
    if (isCaller(read)) return read;
  } catch {
    // Reported below, without its text.
  }
  throw new ThermidorFailure('store.unavailable', `${path} is not a stored environment; remove it to use the worker's own`);
}

function isCaller(value: unknown): value is CallerEnvironment {
  const [env, cwd] = [field(value, 'env'), field(value, 'cwd')];
  if (!isJsonObject(env) || !Object.values(env).every((entry) => typeof entry === 'string')) return false;
  return cwd === undefined || typeof cwd === 'string';
}
