import { join } from 'node:path';
import type { GateLink } from '../../plan/people/notice';
import { bug } from '../../plan/run/failure';
import type { GateLinks } from '../gate-links';
import { gateLinkIn, isGateKey } from '../stored-gate-link';
import { onDisk, readIfThere, replaceFile } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';

/**
 * Gates in a directory, by the key that their messages carry: `<state>/callbacks/gates/<key>.json`, a `GateLink`.
 *
 * Invariants: 1. a file is whole or not there; 2. no text but a key ever becomes a path; 3. the names of the files are the keys, so nobody
 * but their owner may list them.
 */
export class GateLinkFiles implements GateLinks {
  private readonly folder: string;
  private readonly scratch: string;

  constructor(stateDir: string) {
    const { gateLinks, callbacks } = stateLayout(stateDir);
    this.folder = gateLinks;
    this.scratch = scratchOf(callbacks);
  }

  async put(key: string, link: GateLink): Promise<void> {
    if (!isGateKey(key)) throw bug('a gate is put under what is not a key');
    const path = this.pathOf(key);
    const content = JSON.stringify(link);
    await onDisk('the gates', this.folder, async () => {
      const there = await readIfThere(path);
      if (there?.toString('utf8') === content) return;
      await replaceFile({ path, scratch: this.scratch }, content);
    });
  }

  async find(key: string): Promise<GateLink | undefined> {
    if (!isGateKey(key)) return undefined;
    const path = this.pathOf(key);
    const content = await onDisk('the gates', this.folder, () => readIfThere(path));
    return content === undefined ? undefined : gateLinkIn(content.toString('utf8'));
  }

  private pathOf(key: string): string {
    return join(this.folder, `${key}.json`);
  }
}
