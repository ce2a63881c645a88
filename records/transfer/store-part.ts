import { createHash } from 'node:crypto';
import type { ControlKind } from '../../plan/run/artifact';
import { ACCOUNT } from '../accounts/account-log';
import type { RunKey } from '../ledger';
import type { RunIndex } from '../run-index';
import type { EndedCost, ListedEnd } from '../runs/listed-end';

/**
 * One thing that a store keeps, as it moves to another: in a form that is the same for all stores. Texts are those that were stored, so
 * numbers keep their spelling.
 */
export type StorePart =
  | { kind: 'content'; of: ControlKind | 'output'; sha256: string; bytes: Buffer }
  | { kind: 'record'; run: RunKey; name: string; value: string }
  | LogPart
  | StepLogPart
  | { kind: 'environment'; workflowId: string; caller: string }
  | { kind: 'link'; key: string; link: string }
  | { kind: 'grants'; project: string; entries: readonly string[] }
  | { kind: 'refused'; answers: readonly string[] }
  /** A run in the lists of those that have ended. */
  | { kind: 'end'; end: ListedEnd; cost?: MovedCost };

/** What the run's accounts come to. Each store has its own measure of their extent. */
export type MovedCost = Omit<EndedCost, 'extent'>;

/** A run that has ended, as one store has it. */
export function endPart({ end, cost }: { end: ListedEnd; cost?: EndedCost }): StorePart {
  if (cost === undefined) return { kind: 'end', end };
  const { extent: _, ...moved } = cost;
  return { kind: 'end', end, cost: moved };
}

/** How another notes it. @param runs of that store, which has the run's accounts by now */
export async function movedCost(runs: Pick<RunIndex, 'extent'>, { firstRun, run }: ListedEnd, cost: MovedCost): Promise<EndedCost> {
  return { ...cost, extent: await runs.extent({ workflowId: run, run: firstRun }, [ACCOUNT]) };
}

export interface LogPart {
  kind: 'log';
  run: RunKey;
  name: string;
  /** Those that count, in order. */
  lines: readonly string[];
  /** It has a writer: an attempt that was scheduled earlier may not claim it. */
  claimed?: { scheduledAtMs?: number };
  addedAtMs: number;
}

export interface StepLogPart {
  kind: 'step-log';
  run: RunKey;
  name: string;
  /** Whole lines, in order, each piece with the position of its first byte. */
  pieces: readonly { start: number; bytes: Buffer }[];
  addedAtMs: number;
}

export type PartKind = StorePart['kind'];

export const PART_KINDS = [
  'content',
  'record',
  'log',
  'step-log',
  'environment',
  'link',
  'grants',
  'refused',
  'end',
] as const satisfies PartKind[];

/** What tells a part from all others of its store. Secret: the key of a link. */
export function partId(part: StorePart): string {
  return JSON.stringify([part.kind, ...namesOf(part)]);
}

/** For people. It shows no secret. */
export function shownPart(part: StorePart): string {
  if (part.kind === 'link') return 'the link of a gate';
  if (part.kind === 'refused') return 'the refused answers';
  return `the ${part.kind} ${namesOf(part).join(' ')}`;
}

/** The digest of all that the part says. How a store cuts a log into pieces, and when it was written, is not part of that. */
export function partDigest(part: StorePart): string {
  switch (part.kind) {
    case 'content':
      return part.sha256;
    case 'record':
      return textsDigest([part.value]);
    case 'log':
      return textsDigest([part.claimed === undefined ? '' : String(part.claimed.scheduledAtMs), ...part.lines]);
    case 'step-log':
      return stepLogDigest(part);
    case 'environment':
      return textsDigest([part.caller]);
    case 'link':
      return textsDigest([part.link]);
    case 'grants':
      return textsDigest(part.entries);
    case 'refused':
      return textsDigest(part.answers);
    case 'end':
      return textsDigest([JSON.stringify(part.end), JSON.stringify(part.cost ?? null)]);
  }
}

function namesOf(part: StorePart): string[] {
  switch (part.kind) {
    case 'content':
      return [part.of, part.sha256];
    case 'record':
    case 'log':
    case 'step-log':
      return [part.run.workflowId, part.run.run, part.name];
    case 'environment':
      return [part.workflowId];
    case 'link':
      return [part.key];
    case 'grants':
      return [part.project];
    case 'refused':
      return [];
    case 'end':
      return [part.end.run, part.end.firstRun];
  }
}

function textsDigest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${Buffer.byteLength(text)} `).update(text);
  return hash.digest('hex');
}

function stepLogDigest({ pieces }: StepLogPart): string {
  const hash = createHash('sha256');
  let position = -1;
  for (const { start, bytes } of pieces) {
    if (start !== position) hash.update(`from ${start} `);
    hash.update(bytes);
    position = start + bytes.byteLength;
  }
  return hash.digest('hex');
}
