import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { field } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { DrainedHost, DrainedHosts } from '../drained-hosts';
import { createFile, namesIn, onDisk, readIfThere, syncPath } from './durable-file';
import { fileName, textOfName } from './file-name';
import { scratchOf, stateLayout } from './state-layout';

const ENDING = '.json';

/** On a directory: `<state>/drained/<host>.json` says who and since when; that it is there is what counts. */
export class DrainedHostFiles implements DrainedHosts {
  private readonly folder: string;

  constructor(stateDir: string) {
    this.folder = stateLayout(stateDir).drained;
  }

  async drain(host: string, by: string): Promise<void> {
    const said = JSON.stringify({ by, since: new Date().toISOString() });
    await this.onDisk(() => createFile({ path: this.pathOf(host), scratch: scratchOf(this.folder) }, said));
  }

  async undrain(host: string): Promise<boolean> {
    return await this.onDisk(async () => {
      if ((await readIfThere(this.pathOf(host))) === undefined) return false;
      await rm(this.pathOf(host), { force: true });
      await syncPath(this.folder);
      return true;
    });
  }

  async list(): Promise<DrainedHost[]> {
    const names = await this.onDisk(() => namesIn(this.folder));
    const found: DrainedHost[] = [];
    for (const name of names.filter((one) => one.endsWith(ENDING)).sort()) {
      const content = await this.onDisk(() => readIfThere(join(this.folder, name)));
      const host = textOfName(name.slice(0, -ENDING.length));
      if (content === undefined || host === undefined) continue;
      const said = jsonIn(content.toString('utf8'));
      found.push({ host, by: textAt(said, 'by'), since: textAt(said, 'since') });
    }
    return found;
  }

  private pathOf(host: string): string {
    return join(this.folder, `${fileName(host)}${ENDING}`);
  }

  private onDisk<T>(work: () => Promise<T>): Promise<T> {
    return onDisk('the drained hosts', this.folder, work);
  }
}

function textAt(said: Parameters<typeof field>[0], name: string): string {
  const value = field(said, name);
  return typeof value === 'string' ? value : '';
}
