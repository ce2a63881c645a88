import { join } from 'node:path';
import { z } from 'zod';
import { COMMENT_RULES } from '../../plan/people/decision-policy';
import { GATE_KINDS } from '../../plan/people/gate';
import type { GateLink } from '../../plan/people/notice';
import { bug } from '../../plan/run/failure';
import { isTimezone } from '../../plan/text/timezone';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { GateLinks } from '../gate-links';
import { onDisk, readIfThere, replaceFile } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';

const KEY = /^[A-Za-z0-9_-]{1,64}$/;

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
    if (!KEY.test(key)) throw bug('a gate is put under what is not a key');
    const path = this.pathOf(key);
    const content = JSON.stringify(link);
    await onDisk('the gates', this.folder, async () => {
      const there = await readIfThere(path);
      if (there?.toString('utf8') === content) return;
      await replaceFile({ path, scratch: this.scratch }, content);
    });
  }

  async find(key: string): Promise<GateLink | undefined> {
    if (!KEY.test(key)) return undefined;
    const path = this.pathOf(key);
    const content = await onDisk('the gates', this.folder, () => readIfThere(path));
    return content === undefined ? undefined : linkIn(content.toString('utf8'));
  }

  private pathOf(key: string): string {
    return join(this.folder, `${key}.json`);
  }
}

/** What answers rely on of a gate. */
const LINK = z.object({
  ...{ run: z.string(), channel: z.string(), step: z.string(), question: z.string(), shownSha256: z.string() },
  kind: z.enum(GATE_KINDS),
  choices: z.array(z.string()),
  ...{ approvers: z.array(z.string()).optional(), approvedBy: z.array(z.string()).optional(), notBy: z.array(z.string()).optional() },
  comment: z.enum(COMMENT_RULES).optional(),
  identity: z.literal('proven').optional(),
  ...{ note: z.string().optional(), deadline: z.string().optional(), answer: z.string().optional() },
  zone: z.string().refine(isTimezone).optional(),
});

/** A file that holds no gate counts as missing: its answers are refused. */
function linkIn(text: string): GateLink | undefined {
  const read: unknown = parseUntrustedJson(text);
  return LINK.safeParse(read).success ? (read as GateLink) : undefined;
}
