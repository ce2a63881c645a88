import { createHash } from 'node:crypto';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import {
  type AskedBy,
  isLater,
  type QueuePause,
  type Submission,
  submissionName,
  type TicketOutcome,
  ticketId,
} from '../../plan/queue/ticket';
import { isJsonObject } from '../../plan/text/json';
import type { Ledger, RunKey } from '../ledger';
import { asJson } from '../stored-json';

/**
 * What ledgers hold of merge queues: submissions in those of the askers, outcomes in the queue's own, which is the same for all executions
 * under its id. Each is recorded once, and the first stays.
 */
type Records = Pick<Ledger, 'get' | 'putIfAbsent'>;

function keyOf(queue: string): RunKey {
  return { workflowId: queue, run: 'queue' };
}

/** Undefined if it was withdrawn before. */
export async function recordSubmission(
  ledger: Records,
  { workflowId, run, name }: AskedBy,
  submission: Submission,
): Promise<Submission | undefined> {
  const kept: unknown = await ledger.putIfAbsent({ workflowId, run }, submissionName(name), asJson(submission));
  return isSubmission(kept) ? kept : undefined;
}

export async function readSubmission(ledger: Pick<Ledger, 'get'>, { workflowId, run, name }: AskedBy): Promise<Submission | undefined> {
  const found: unknown = await ledger.get({ workflowId, run }, submissionName(name));
  return isSubmission(found) ? found : undefined;
}

/**
 * If nothing was submitted yet, nothing submitted later counts; else returns the submission. Both write the same record, so the first wins.
 */
export async function withdrawSubmission(ledger: Records, { workflowId, run, name }: AskedBy): Promise<Submission | undefined> {
  const kept: unknown = await ledger.putIfAbsent({ workflowId, run }, submissionName(name), { withdrawn: true });
  return isSubmission(kept) ? kept : undefined;
}

export async function recordOutcome(ledger: Records, queue: string, asked: AskedBy, outcome: TicketOutcome): Promise<TicketOutcome> {
  const kept: unknown = await ledger.putIfAbsent(keyOf(queue), `outcome/${ticketId(asked)}`, asJson(outcome));
  return isOutcome(kept) ? kept : outcome;
}

export async function readOutcome(ledger: Pick<Ledger, 'get'>, queue: string, asked: AskedBy): Promise<TicketOutcome | undefined> {
  const found: unknown = await ledger.get(keyOf(queue), `outcome/${ticketId(asked)}`);
  return isOutcome(found) ? found : undefined;
}

/** Recorded before the target moves: that a candidate is in a result, which shows that it landed. Lost tries may leave several. */
export async function recordResult(ledger: Pick<Ledger, 'append'>, queue: string, asked: AskedBy, result: string): Promise<void> {
  await ledger.append(keyOf(queue), `results/${ticketId(asked)}`, { result });
}

/** The newest first. */
export async function readResults(ledger: Pick<Ledger, 'lines'>, queue: string, asked: AskedBy): Promise<string[]> {
  const lines: unknown[] = await ledger.lines(keyOf(queue), `results/${ticketId(asked)}`);
  return lines.flatMap((line) => (isJsonObject(line) && typeof line['result'] === 'string' ? [line['result']] : [])).reverse();
}

/** Records what people and reviewers should know of a candidate: the same however often it is merged. */
export async function recordRemarks(ledger: Records, queue: string, asked: AskedBy, remarks: readonly string[]): Promise<void> {
  await ledger.putIfAbsent(keyOf(queue), `remarks/${ticketId(asked)}`, { remarks: [...remarks] });
}

export async function readRemarks(ledger: Pick<Ledger, 'get'>, queue: string, asked: AskedBy): Promise<string[]> {
  const found: unknown = await ledger.get(keyOf(queue), `remarks/${ticketId(asked)}`);
  const remarks: unknown = isJsonObject(found) ? found['remarks'] : undefined;
  return Array.isArray(remarks) ? remarks.filter((remark) => typeof remark === 'string') : [];
}

/** Orders may come out of order: `readPause` has the latest. */
export async function recordPause(ledger: Pick<Ledger, 'append' | 'lines'>, queue: string, pause: QueuePause): Promise<void> {
  const last = await readPause(ledger, queue);
  if (isLater(pause, last)) await ledger.append(keyOf(queue), 'pauses', asJson(pause));
}

export async function readPause(ledger: Pick<Ledger, 'lines'>, queue: string): Promise<QueuePause | undefined> {
  const lines: unknown[] = await ledger.lines(keyOf(queue), 'pauses');
  return lines.filter(isPause).reduce<QueuePause | undefined>((last, one) => (isLater(one, last) ? one : last), undefined);
}

/** A command was green on a commit. */
export async function recordGreen(ledger: Records, queue: string, commit: string, command: string): Promise<void> {
  await ledger.putIfAbsent(keyOf(queue), foundName('green', commit, command), { green: true });
}

export async function wasGreen(ledger: Pick<Ledger, 'get'>, queue: string, commit: string, command: string): Promise<boolean> {
  return (await ledger.get(keyOf(queue), foundName('green', commit, command))) !== undefined;
}

/** A command that the target has to stay green by was red on a commit: with that commit it has nothing to lose. */
export async function recordRed(ledger: Records, queue: string, commit: string, command: string): Promise<void> {
  await ledger.putIfAbsent(keyOf(queue), foundName('red', commit, command), { red: true });
}

export async function wasRed(ledger: Pick<Ledger, 'get'>, queue: string, commit: string, command: string): Promise<boolean> {
  return (await ledger.get(keyOf(queue), foundName('red', commit, command))) !== undefined;
}

/** Records that a commit is the queue's to test: the queue made it, or merged onto it. */
export async function recordBuilt(ledger: Records, queue: string, commits: readonly string[]): Promise<void> {
  for (const commit of new Set(commits)) await ledger.putIfAbsent(keyOf(queue), `built/${commit}`, { built: true });
}

export async function wasBuilt(ledger: Pick<Ledger, 'get'>, queue: string, commit: string): Promise<boolean> {
  return (await ledger.get(keyOf(queue), `built/${commit}`)) !== undefined;
}

/**
 * Recorded before and after commands run in a tree: the beginnings of an attempt without an end count how often it has killed its worker.
 */
export async function recordTry(ledger: Pick<Ledger, 'append'>, queue: string, of: TestTry, is: 'begun' | 'over'): Promise<void> {
  await ledger.append(keyOf(queue), tryName(of), { is });
}

/** Tries that have begun and are not over. */
export async function lostTries(ledger: Pick<Ledger, 'lines'>, queue: string, of: TestTry): Promise<number> {
  const lines: unknown[] = await ledger.lines(keyOf(queue), tryName(of));
  const count = (is: string): number => lines.filter((line) => isJsonObject(line) && line['is'] === is).length;
  return count('begun') - count('over');
}

/** A test of an attempt, on the merged tree or on the target without it. */
interface TestTry {
  attempt: number;
  commit: string;
}

function tryName({ attempt, commit }: TestTry): string {
  return `tries/${attempt}/${commit}`;
}

type TestRules = Pick<QueueSettings, 'test' | 'minTests' | 'setup' | 'copy'>;

/**
 * Records that all tests of a result were green: those of these rules, and those that its candidates have brought, except those that were
 * red before and may stay so.
 */
export async function recordTested(ledger: Records, queue: string, commit: string, rules: TestRules): Promise<void> {
  await ledger.putIfAbsent(keyOf(queue), testedName(commit, rules), { tested: true });
}

export async function wasTested(ledger: Pick<Ledger, 'get'>, queue: string, commit: string, rules: TestRules): Promise<boolean> {
  return (await ledger.get(keyOf(queue), testedName(commit, rules))) !== undefined;
}

function testedName(commit: string, { test, minTests, setup, copy }: TestRules): string {
  const rules = JSON.stringify([test ?? null, minTests ? [minTests.count, minTests.format] : null, setup, copy]);
  return `tested/${commit}/${createHash('sha256').update(rules).digest('hex')}`;
}

function foundName(found: 'green' | 'red', commit: string, command: string): string {
  return `${found}/${commit}/${createHash('sha256').update(command).digest('hex')}`;
}

/** Written by this module alone. */
function isSubmission(value: unknown): value is Submission {
  return isJsonObject(value) && isJsonObject(value['target']) && typeof value['candidate'] === 'string';
}

function isPause(value: unknown): value is QueuePause {
  return isJsonObject(value) && typeof value['atMs'] === 'number' && typeof value['n'] === 'number';
}

function isOutcome(value: unknown): value is TicketOutcome {
  return isJsonObject(value) && typeof value['kind'] === 'string';
}
