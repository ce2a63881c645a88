import { join } from 'node:path';
import type { CostCategory } from '../../plan/brief/category';
import { field, type Json } from '../../plan/text/json';
import {
  type GrantEntry,
  type GrantInForce,
  grantsAfter,
  isAdded,
  type LastingGrant,
  type LastingGrants,
  type Revocation,
} from '../lasting-grants';
import { grantEntriesIn } from '../stored-grant';
import { asJson } from '../stored-json';
import { namesIn, onDisk, readIfThere } from './durable-file';
import { fileName } from './file-name';
import { appendLines } from './log-file';
import { wholeLines } from './log-lines';
import { stateLayout } from './state-layout';

/** On a directory: `<state>/grants/<project>.jsonl`, one entry a line. */
export class LastingGrantFiles implements LastingGrants {
  private readonly folder: string;

  constructor(stateDir: string) {
    this.folder = stateLayout(stateDir).grants;
  }

  async add(grant: LastingGrant): Promise<void> {
    if (isAdded(await this.entries(grant.project), grant)) return;
    await this.append({ kind: 'granted', ...grant });
  }

  async revoke(revocation: Revocation): Promise<void> {
    await this.append({ kind: 'revoked', ...revocation });
  }

  async inForce(project: string): Promise<CostCategory[]> {
    return grantsAfter(await this.entries(project)).map(({ category }) => category);
  }

  async list(project?: string): Promise<GrantInForce[]> {
    const projects = project === undefined ? await this.projects() : [project];
    const found: GrantInForce[] = [];
    for (const one of projects) found.push(...grantsAfter(await this.entries(one)));
    return found;
  }

  /** The name of a file may be short for its project's, so the entries say which it is. */
  private async projects(): Promise<string[]> {
    const names = await onDisk('the grants', this.folder, () => namesIn(this.folder));
    const found = names
      .filter((name) => name.endsWith(ENDING))
      .map(async (name) => {
        const path = join(this.folder, name);
        return (await this.lines(path)).flatMap((line) => {
          const project = field(line, 'project');
          return typeof project === 'string' && this.pathOf(project) === path ? [project] : [];
        });
      });
    return [...new Set((await Promise.all(found)).flat())].sort();
  }

  private async entries(project: string): Promise<GrantEntry[]> {
    return (await this.lines(this.pathOf(project))).flatMap((line) => grantEntriesIn(line, project));
  }

  private async lines(path: string): Promise<Json[]> {
    const content = await onDisk('the grants', this.folder, () => readIfThere(path));
    return content === undefined ? [] : wholeLines(content.toString('utf8'));
  }

  private append(entry: GrantEntry): Promise<void> {
    return onDisk('the grants', this.folder, () => appendLines(this.pathOf(entry.project), [asJson(entry)]));
  }

  private pathOf(project: string): string {
    return join(this.folder, `${fileName(project)}${ENDING}`);
  }
}

const ENDING = '.jsonl';
