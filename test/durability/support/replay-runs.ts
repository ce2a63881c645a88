import { join, resolve } from 'node:path';
import type { HistoryAndWorkflowId } from '@temporalio/client';
import type { ReplayResult } from '@temporalio/worker';

const DIST = resolve(__dirname, '../../../dist');
const replays = {
  workflowBundle: { codePath: join(DIST, 'workflow-bundle.js') },
  dataConverter: { payloadConverterPath: join(DIST, 'workflows/temporal/payload-converter.js') },
};

/** Making a worker that replays takes as long as what a server has to replay, so a suite makes one. */
let replayer: Promise<Replayer> | undefined;
let isOver = false;

afterAll(async () => {
  isOver = true;
  await (await replayer)?.close();
});

/**
 * Replays the history of every run of a namespace. A run that does not replay works until its worker is gone, and is stuck from then on.
 * Answers with what went wrong, a line a run.
 */
export async function replayRuns(address: string, namespace = 'default'): Promise<string[]> {
  // Loaded only here: if no server is left there is nothing to replay.
  const { Client, Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    const histories: HistoryAndWorkflowId[] = [];
    for await (const history of workflow.list().intoHistories()) histories.push(history);
    if (histories.length === 0) return [];
    replayer ??= openReplayer();
    const { replay, close } = await replayer;
    const problems = await replay(histories);
    // A suite of one file closes its server after the hook above.
    if (isOver) await close();
    return problems;
  } finally {
    await connection.close();
  }
}

interface Replayer {
  replay(histories: readonly HistoryAndWorkflowId[]): Promise<string[]>;
  close(): Promise<void>;
}

async function openReplayer(): Promise<Replayer> {
  const { DefaultLogger, Runtime, Worker } = await import('@temporalio/worker');
  const logging = { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } as const;
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  let hand: (history: HistoryAndWorkflowId | undefined) => void = () => undefined;
  let handed = next();
  function next(): Promise<HistoryAndWorkflowId | undefined> {
    return new Promise((settle) => {
      hand = settle;
    });
  }
  async function* histories(): AsyncGenerator<HistoryAndWorkflowId> {
    for (let history = await handed; history; history = await handed) {
      handed = next();
      yield history;
    }
  }
  const results: AsyncIterator<ReplayResult> = Worker.runReplayHistories(replays, histories());
  let last: Promise<unknown> = Promise.resolve();

  async function replayAll(given: readonly HistoryAndWorkflowId[]): Promise<string[]> {
    const problems: string[] = [];
    for (const history of given) {
      hand(history);
      const { value, done } = await results.next();
      if (done) throw new Error('the worker that replays has ended');
      const { workflowId, runId, error } = value;
      if (error) problems.push(`${workflowId} (${runId}) does not replay: ${error.message}`);
    }
    return problems;
  }

  return {
    replay(given) {
      const mine = last.then(() => replayAll(given));
      last = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      replayer = undefined;
      hand(undefined);
      await results.next();
    },
  };
}
