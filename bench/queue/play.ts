import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { takeTicket } from '../../activities/queue/take-ticket';
import type { WorkerToolbox } from '../../activities/toolbox';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import type { AskedBy, QueueTarget, TicketOutcome } from '../../plan/queue/ticket';
import { openRecords } from '../../records/open-records';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome } from '../../records/queues/queue-ledger';
import { createToolbox } from '../../worker/toolbox';
import { mergeQueue } from '../../workflows/queue/queue';
import type { QueueContext, QueueInbound } from '../../workflows/queue/queue-context';
import { Cancelled } from '../../workflows/run-context';
import { plannedCandidates } from './candidates';
import { git, makeRepository } from './repository';

export interface Played {
  wallMs: number;
  advances: number;
  landed: number;
  /** Processes of git, with those that git itself starts; those of the clone and of reading the outcomes are included. */
  gitProcesses: number;
}

/**
 * Runs the queue on real git, without a server: the queue itself calls the worker's activities. Fails if a candidate has an unexpected end,
 * or the branch was red after an advance.
 */
export async function playQueue(folder: string, count: number, batch: number, signal: AbortSignal): Promise<Played> {
  const candidates = plannedCandidates(count);
  const repository = join(folder, 'library.git');
  const commits = makeRepository(repository, candidates);
  const target: QueueTarget = { repository: git(repository, ['rev-parse', '--absolute-git-dir']), refsIn: 'repository', branch: 'main' };
  const traces = join(folder, 'traces');
  const settings = { ...DEFAULT_QUEUE_SETTINGS, batch, test: 'sh test.sh' };
  const toolbox = createToolbox({
    records: openRecords({ stateDir: join(folder, 'state') }),
    ...{ stateDir: join(folder, 'state'), pipelineDirs: [], channels: {}, defaultAdapter: 'scripted', searchAttributes: [] },
    worktrees: { folder: join(folder, 'trees') },
    mergeQueues: [{ repo: target.repository, settings }],
    git: { configFile: countingProcesses(traces) },
    log: () => undefined,
  });
  const queue = queueId(target);
  let inbound: QueueInbound | undefined;
  const over = new AbortController();
  const context = contextOf(toolbox, queue, AbortSignal.any([signal, over.signal]), (listener) => {
    inbound = listener;
  });
  const working = mergeQueue(context, {});
  const queueAsker = {
    ask: async (_: string, one: AskedBy) => inbound?.submit(one) ?? { number: 0 },
    drop: async () => undefined,
    wake: async () => undefined,
  };
  const began = performance.now();
  const asked = candidates.map(({ name, asker }): AskedBy => ({ workflowId: asker, run: asker, name }));
  for (const one of asked) {
    const submission = { target, candidate: commits.get(one.name) ?? '', title: one.name, author: one.workflowId, priority: 3 } as const;
    await takeTicket({ ledger: toolbox.ledger, queueAsker }, one, submission);
  }
  const found = (): Promise<(TicketOutcome | undefined)[]> => Promise.all(asked.map((one) => readOutcome(toolbox.ledger, queue, one)));
  let outcomes: (TicketOutcome | undefined)[] = [];
  const ended = async (): Promise<void> => {
    do {
      await context.until(() => isAtRest(inbound));
      outcomes = await found();
    } while (outcomes.includes(undefined));
  };
  await Promise.race([working, ended()]);
  const wallMs = performance.now() - began;
  over.abort();
  await working.catch(() => undefined);
  const wrong = candidates.filter(({ fate }, i) => outcomes[i]?.kind !== fate).map(({ name }) => name);
  if (wrong.length > 0) throw new Error(`these have another end than their own: ${wrong.join(', ')}`);
  const landed = outcomes.filter((one) => one?.kind === 'merged').length;
  return { wallMs, landed, advances: greenAdvances(repository, outcomes), gitProcesses: readdirSync(traces).length };
}

/** A configuration with which each process of git leaves a file in the folder. */
function countingProcesses(folder: string): string {
  mkdirSync(folder);
  const file = `${folder}.conf`;
  writeFileSync(file, `[trace2]\n\teventTarget = ${folder}\n\tmaxFiles = 0\n`);
  return file;
}

function isAtRest(inbound: QueueInbound | undefined): boolean {
  const view = inbound?.view();
  return view !== undefined && view.line.length + view.waiting.length === 0 && view.done.length > 0;
}

/** Each value that the branch has had, by its files as the test reads them. */
function greenAdvances(repository: string, outcomes: readonly (TicketOutcome | undefined)[]): number {
  const advances = new Set(outcomes.flatMap((one) => (one?.kind === 'merged' ? one.result : [])));
  for (const commit of advances) {
    const files = git(repository, ['ls-tree', '--name-only', commit]).split('\n');
    const isRed = files.some(
      (name) => name.startsWith('bad-') || (name.endsWith('-a.txt') && files.includes(name.replace('-a.txt', '-b.txt'))),
    );
    if (isRed) throw new Error(`the branch was red at ${commit}`);
  }
  return advances.size;
}

function contextOf(toolbox: WorkerToolbox, queue: string, signal: AbortSignal, listen: (inbound: QueueInbound) => void): QueueContext {
  const key = { workflowId: queue, run: 'bench' };
  return {
    run: 'bench',
    now: () => Date.now(),
    activity(name, input, { address = 'x' }) {
      const own = new AbortController();
      const both = AbortSignal.any([own.signal, signal]);
      const call = { key, id: address, attempt: 1, signal: both, heartbeat: () => undefined, isCancelled: () => own.signal.aborted };
      const perform = PERFORM_QUEUE[name] as (box: WorkerToolbox, one: typeof call, given: unknown) => Promise<never>;
      const promise = perform(toolbox, call, input).catch((error: unknown) => {
        throw own.signal.aborted ? new Cancelled() : error;
      });
      return { promise, cancel: () => own.abort() };
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    listen,
    async until(isSo) {
      while (!isSo()) {
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    historyIsFull: () => false,
    handlersFinished: async () => undefined,
    saveState: continuesNot,
    loadState: continuesNot,
    continueAsNew: continuesNot,
  };
}

async function continuesNot(): Promise<never> {
  throw new Error('a bench does not continue as new');
}
