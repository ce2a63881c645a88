import { join } from 'node:path';
import { COMMENT_RULES } from '../../plan/people/decision-policy';
import { GATE_KINDS } from '../../plan/people/gate';
import { isJsonObject } from '../../plan/text/json';
import { isTimezone } from '../../plan/text/timezone';
import type { GateLink, GateLinks } from '../gate-links';
import { onDisk, readIfThere, replaceFile } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';

const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Gates in a directory, by the key that their messages carry: `<state>/callbacks/gates/<key>.json`, a `GateLink`.
 *
 * Invariants: 1. a file is whole or not there; 2. no text but a key ever becomes a path; 3. the names of the files are the keys, so nobody but
 * their owner may list them.
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
    if (!KEY.test(key)) throw new TypeError('not a key of a gate');
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

/** A file that holds no gate counts as missing: its answers are refused. */
function linkIn(text: string): GateLink | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isGateLink(read) ? read : undefined;
}

function isGateLink(value: unknown): value is GateLink {
  if (!isJsonObject(value)) return false;
  const {
    run,
    channel,
    step,
    gate,
    question,
    choices,
    shownSha256,
    approvers,
    approvedBy,
    notBy,
    comment,
    identity,
    note,
    deadline,
    answer,
    zone,
  } = value;
  return (
    [run, channel, step, question, shownSha256].every((text) => typeof text === 'string') &&
    GATE_KINDS.some((known) => known === gate) &&
    isTexts(choices) &&
    [approvers, approvedBy, notBy].every((list) => list === undefined || isTexts(list)) &&
    (comment === undefined || COMMENT_RULES.some((known) => known === comment)) &&
    (identity === undefined || identity === 'proven') &&
    [note, deadline, answer].every((text) => text === undefined || typeof text === 'string') &&
    (zone === undefined || (typeof zone === 'string' && isTimezone(zone)))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
