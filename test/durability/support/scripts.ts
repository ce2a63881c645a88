import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Scratch } from './scratch';

/** Scripts for the main job that take no time unless a test wants a step to be in flight. */
interface ScriptFile {
  replies: Record<string, { after?: string }[]>;
}

export interface ScriptWishes {
  /** How long replies take, by step; the others come at once. */
  delays?: Readonly<Record<string, string>>;
  /** Instead of the chairman who approves at once. */
  people?: readonly object[];
  /** Replies of single steps. */
  replies?: Readonly<Record<string, readonly object[]>>;
}

/** Writes `pipelines/scripts/<name>.yaml`: daily-quant without its delays, changed as wished. JSON is YAML. */
export function writeScript(scratch: Scratch, name: string, wishes: ScriptWishes = {}): string {
  const script = load(readFileSync(scratch.path('pipelines/scripts/daily-quant.yaml'), 'utf8')) as ScriptFile;
  for (const [step, replies] of Object.entries(script.replies)) {
    const delay = wishes.delays?.[step];
    for (const reply of replies) {
      delete reply.after;
      if (delay !== undefined) reply.after = delay;
    }
  }
  const people = wishes.people ?? [{ gate: 'approve', approve: { by: 'chairman', comment: 'go' } }];
  const replies = { ...script.replies, ...wishes.replies };
  scratch.write(`pipelines/scripts/${name}.yaml`, JSON.stringify({ ...script, replies, people }));
  return name;
}
