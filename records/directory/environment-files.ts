import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import type { CallerEnvironment, EnvironmentStore } from '../caller-environments';
import { callerIn, callerText, withoutOurs } from '../stored-caller';
import { createFile, namesIn, onDisk, readIfThere, replaceFile, type WriteTarget } from './durable-file';
import { fileName } from './file-name';
import { keepLongNames } from './long-names';
import { scratchOf, stateLayout } from './state-layout';

/**
 * The environments of callers in a directory: `<root>/environments/<workflowId>.json`, `{env, cwd?}`. They are full of secrets, so only its
 * owner can access a file (0600). The starter of a run writes its file first, and removes it when the run is over.
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
    await this.onDisk(async () => {
      await keepLongNames(this.folder, workflowId);
      await replaceFile(this.target(workflowId), callerText(caller));
    });
  }

  async inherit(workflowId: string, parent: string): Promise<void> {
    const text = await this.onDisk(() => readIfThere(this.pathOf(parent)));
    if (text === undefined) return;
    await this.onDisk(async () => {
      await keepLongNames(this.folder, workflowId);
      await createFile(this.target(workflowId), text);
    });
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

function readCaller(path: string, text: string): CallerEnvironment {
  const caller = callerIn(text);
  if (caller) return caller;
  // Its text is secret.
  throw new ThermidorFailure('store.unavailable', `${path} is not a stored environment; remove it to use the worker's own`);
}
