import { dirname, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { compilePipeline, formatDiagnostics } from '../../compiler/index';
import { isJsonObject } from '../../plan/text/json';
import { workflowCode } from '../../worker/promise-traces';
import { installRuntime } from '../../worker/runtime';
import { WORKFLOW_PATIENCE } from '../../worker/workflow-patience';
import { scaleActivities } from './activities';
import { EARLY, LATE, longPipeline, STEPS_PIPELINE, stepsBehind } from './cases';

/** The measurements when the last of some steps is done. */
export interface Mark {
  cpuMs: number;
  wallMs: number;
}

/** What the process prints as its last line. */
export interface StepsAnswer {
  marks: Record<number, Mark>;
  executions: number;
  peakMb: number;
}

export function readStepsAnswer(stdout: string): StepsAnswer {
  const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  if (!isJsonObject(answer) || !isJsonObject(answer['marks']))
    throw new Error(`not what a run of many steps reports: ${stdout.slice(-200)}`);
  return answer as unknown as StepsAnswer;
}

/** One run of many steps on a worker of its own; its CPU time is that of the process. */
async function main(address: string): Promise<void> {
  installRuntime((level, message) => process.stderr.write(`worker: ${level}: ${message}\n`));
  const compiled = compilePipeline(`${STEPS_PIPELINE}.yaml`, longPipeline(), { read: () => undefined, list: () => [] });
  if (!compiled.plan) throw new Error(formatDiagnostics(compiled.diagnostics));
  const wanted = new Set([EARLY.from, EARLY.to, LATE.from, LATE.to]);
  const marks: StepsAnswer['marks'] = {};
  const begunMs = performance.now();
  const activities = scaleActivities(compiled.plan, (step) => {
    const steps = stepsBehind(step);
    if (steps === undefined || !wanted.has(steps)) return;
    const { user, system } = process.cpuUsage();
    marks[steps] = { cpuMs: (user + system) / 1000, wallMs: performance.now() - begunMs };
  });
  const dist = dirname(dirname(__dirname));
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace: 'default',
    taskQueue: STEPS_PIPELINE,
    ...WORKFLOW_PATIENCE,
    workflowBundle: workflowCode(join(dist, 'workflow-bundle.js'), false),
    dataConverter: { payloadConverterPath: join(dist, 'workflows', 'temporal', 'payload-converter.js') },
    activities,
    maxConcurrentActivityTaskExecutions: 100,
  });
  const toServer = await Connection.connect({ address });
  const client = new Client({ connection: toServer });
  const executions = await worker.runUntil(async () => {
    const handle = await client.workflow.start(STEPS_PIPELINE, { workflowId: STEPS_PIPELINE, taskQueue: STEPS_PIPELINE, args: [{}] });
    await handle.result();
    let count = 1;
    for (let id: string | undefined = handle.firstExecutionRunId; id !== undefined; ) {
      id = await nextExecution(client, id);
      if (id !== undefined) count += 1;
    }
    return count;
  });
  await toServer.close();
  await connection.close();
  const answer: StepsAnswer = { marks, executions, peakMb: process.resourceUsage().maxRSS / 1024 };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function nextExecution(client: Client, runId: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: 'default',
    execution: { workflowId: STEPS_PIPELINE, runId },
    historyEventFilterType: 2,
  });
  const next = history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  return next === null || next === '' ? undefined : next;
}

if (require.main === module) {
  main(process.argv[2] ?? '').then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
}
