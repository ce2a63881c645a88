import { join, resolve } from 'node:path';
import type { HistoryAndWorkflowId } from '@temporalio/client';

const DIST = resolve(__dirname, '../../../dist');
const replays = {
  workflowBundle: { codePath: join(DIST, 'workflow-bundle.js') },
  dataConverter: { payloadConverterPath: join(DIST, 'workflows/temporal/payload-converter.js') },
};

/**
 * Replays the history of every run on a server. A run that does not replay works until its worker is gone, and is stuck from then on.
 * Answers with what went wrong, a line a run.
 */
export async function replayRuns(address: string): Promise<string[]> {
  // Loaded here: where no server is left there is nothing to replay.
  const [{ Client, Connection }, { DefaultLogger, Runtime, Worker }] = await Promise.all([
    import('@temporalio/client'),
    import('@temporalio/worker'),
  ]);
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const histories: HistoryAndWorkflowId[] = [];
    for await (const history of workflow.list().intoHistories()) histories.push(history);
    if (histories.length === 0) return [];
    quiet(Runtime, DefaultLogger);
    const problems: string[] = [];
    for await (const { workflowId, runId, error } of Worker.runReplayHistories(replays, histories)) {
      if (error) problems.push(`${workflowId} (${runId}) does not replay: ${error.message}`);
    }
    return problems;
  } finally {
    await connection.close();
  }
}

let isQuiet = false;
type Sdk = typeof import('@temporalio/worker');
function quiet(runtime: Sdk['Runtime'], logger: Sdk['DefaultLogger']): void {
  if (isQuiet) return;
  isQuiet = true;
  const logging = { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } as const;
  runtime.install({ logger: new logger('ERROR'), telemetryOptions: { logging } });
}
