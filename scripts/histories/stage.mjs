// A server, a worker and a folder of pipelines, where runs are recorded. The scripts' delays are removed.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openQueue } from './queue-stage.mjs';
import { makeRepository } from './repository.mjs';

const require = createRequire(import.meta.url);
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { Client, Connection } = require('@temporalio/client');
const { historyToJSON } = require('@temporalio/common/lib/proto-utils');
const { dump, load } = require('js-yaml');
const { findTemporalBinary } = require('../../dist/cli/embedded/temporal-binary.js');
const { findFreePort } = require('../../dist/cli/embedded/ports.js');
const { TASK_QUEUE } = require('../../dist/plan/run/contract.js');
const { SEARCH_ATTRIBUTES } = require('../../dist/plan/run/search-attributes.js');
const { ControlFiles } = require('../../dist/records/directory/control-files.js');
const { seal } = require('../../dist/client/callbacks/signatures.js');
const { queueId } = require('../../dist/records/queues/queue-id.js');
const { startWorker } = require('../../dist/worker/worker.js');

const PATIENCE_MS = 120_000;
const IDENTITY = 'recorder';
/** The tokens belong to this process alone, and are in no history: they only seal what is sent. */
process.env.HISTORY_TOKEN_OF_ANN = randomBytes(16).toString('hex');
process.env.HISTORY_TOKEN_OF_BOB = randomBytes(16).toString('hex');
const DIRECTORY = {
  people: {
    ann: { token: 'secret://env/HISTORY_TOKEN_OF_ANN' },
    bob: { token: 'secret://env/HISTORY_TOKEN_OF_BOB' },
    cleo: {},
    chairman: {},
  },
  groups: {},
};

export async function openStage(eventsLimit) {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-histories-'));
  const pipelines = join(folder, 'pipelines');
  cpSync(join(root, 'pipelines'), pipelines, { recursive: true });
  withoutDelays(join(pipelines, 'scripts'));
  // Commands run where the worker runs.
  process.chdir(folder);
  const { server, address } = await startServer(eventsLimit);
  const connection = await connect(address);
  const client = new Client({ connection, identity: IDENTITY });
  const worker = await startWorker({
    ...{ address, namespace: 'default', taskQueue: TASK_QUEUE, identity: IDENTITY, mode: 'full', defaultAdapter: 'anthropic' },
    ...{
      stateDir: join(folder, 'state'),
      pipelineDirs: [pipelines],
      channels: {},
      shutdownGraceMs: 100,
      log: () => undefined,
      directory: DIRECTORY,
      worktrees: { folder: join(folder, 'worktrees') },
    },
  });
  return {
    async start(workflowId, pipeline, script, input = {}) {
      if (pipeline.source !== undefined) writeFileSync(join(pipelines, `${pipeline.name}.yaml`), pipeline.source);
      for (const [name, text] of Object.entries(pipeline.others ?? {})) writeFileSync(join(pipelines, name), text);
      rmSync(join(folder, 'mended'), { force: true });
      const args = [script === undefined ? input : { ...input, script }];
      const handle = await client.workflow.start(pipeline.name ?? pipeline, { workflowId, taskQueue: TASK_QUEUE, args });
      return recordedRun(client, handle.workflowId, handle.firstExecutionRunId, folder);
    },
    async queueHistories(name, one) {
      const queue = await openQueue({ client, address, until, identity: IDENTITY }, name, one);
      try {
        await one.drive(queue);
        return await historiesOf(client, queue.workflowId);
      } finally {
        await queue.close();
      }
    },
    makeRepository: ({ name, files }) => makeRepository(join(folder, name), files),
    /** Histories of the queue of its branch `main`. */
    historiesOfQueue: (name) => historiesOf(client, queueId({ repository: join(folder, name), branch: 'main' })),
    /** The names to replace in histories. */
    names: () => [
      [folder, '/srv/thermidor'],
      [hostIn(join(folder, 'worktrees')), 'build-1'],
    ],
    async close() {
      await worker.shutdown();
      await connection.close();
      server.kill('SIGKILL');
      process.chdir(root);
      rmSync(folder, { recursive: true });
    },
  };
}

/** The id of a folder of worktrees on this machine. */
function hostIn(worktrees) {
  const [file] = readdirSync(worktrees).filter((name) => name.startsWith('host-'));
  return readFileSync(join(worktrees, file), 'utf8').trim();
}

async function startServer(eventsLimit) {
  const { path } = await findTemporalBinary({ onProgress: console.error });
  const port = await findFreePort();
  const server = spawn(path, [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--headless', '--log-level', 'error'],
    ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000'],
    ...(eventsLimit === undefined ? [] : ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${eventsLimit}`]),
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ]);
  await Promise.race([once(server, 'spawn'), once(server, 'error').then(([error]) => Promise.reject(error))]);
  return { server, address: `127.0.0.1:${port}` };
}

function connect(address) {
  return until('the server answers', () => Connection.connect({ address }).catch(() => undefined));
}

/** How a case drives its run. */
function recordedRun(client, workflowId, firstRunId, folder) {
  const handle = client.workflow.getHandle(workflowId);
  const status = () => handle.query('status').catch(() => undefined);
  const when = (what, fits) =>
    until(`${workflowId}: ${what}`, async () => {
      const { gates = [], steps = [] } = (await status()) ?? {};
      if (fits({ gates, steps })) return true;
      if ((await handle.describe()).status.name === 'FAILED') await handle.result();
      return false;
    });
  return {
    isOpen: async (step) => (await status()).gates.some((gate) => gate.step === step),
    gate: (step) => when(`gate ${step}`, ({ gates }) => gates.some((gate) => gate.step === step)),
    step: (id, state) => when(`${id} ${state}`, ({ steps }) => steps.some((step) => step.id === id && step.state === state)),
    someGate: () => when('a gate', ({ gates }) => gates.length > 0),
    someHeld: () => when('a child is held', ({ steps }) => steps.some(({ waitingFor }) => waitingFor?.startsWith('an operator'))),
    async sealed(name, step, by, variable) {
      const { gates } = await status();
      const shown = gates.find((gate) => gate.step === step).shownSha256;
      const proof = seal(process.env[variable], { run: workflowId, name, step, by, shown }, 'console', new Date().toISOString());
      await handle.executeUpdate(name, { args: [{ step, by, shown, proof }] });
    },
    signal: (name, payload) => handle.signal(name, ...(payload === undefined ? [] : [payload])),
    update: (name, payload) => handle.executeUpdate(name, { args: [payload] }),
    async refusedUpdate(name, payload) {
      const applied = await handle.executeUpdate(name, { args: [payload] }).then(
        () => true,
        () => false,
      );
      if (applied) throw new Error(`${workflowId} took ${name} ${JSON.stringify(payload)}`);
    },
    undecodableSignal: (signalName) =>
      client.workflowService.signalWorkflowExecution({
        ...{ namespace: 'default', workflowExecution: { workflowId }, signalName, identity: IDENTITY },
        input: { payloads: [{ metadata: { encoding: Buffer.from('binary/x') }, data: Buffer.from('xx') }] },
      }),
    async rerun(query) {
      const { carry } = await handle.query('carry', query);
      const begins = { plan: (await status()).plan.sha256, args: {} };
      const carried = await new ControlFiles(join(folder, 'state')).put('carry', JSON.stringify({ ...carry, begins }), 'carry.json');
      const { type } = await handle.describe();
      const again = await client.workflow.start(type, { workflowId: `${workflowId}-again`, taskQueue: TASK_QUEUE, args: [{ carried }] });
      return recordedRun(client, again.workflowId, again.firstExecutionRunId, folder);
    },
    cancel: () => handle.cancel(),
    write: (name) => writeFileSync(join(folder, name), ''),
    async ended() {
      await handle.result().catch(() => undefined);
      return (await handle.describe()).status.name;
    },
    /** Why it failed; empty if it did not. */
    problem: () =>
      handle.result().then(
        () => '',
        ({ cause }) => String(cause),
      ),
    /** Histories of its executions, or of those of the child that a step started. */
    async histories(step) {
      const id = step === undefined ? workflowId : `${workflowId}.${step}`;
      return historiesOf(client, id, step === undefined ? firstRunId : undefined);
    },
  };
}

/** Histories of the executions from one on; from the first if none is named. */
async function historiesOf(client, id, from) {
  const found = [];
  const first = async () => (await client.workflow.getHandle(id).describe()).raw.workflowExecutionInfo.firstRunId;
  for (let runId = from ?? (await first()); runId; ) {
    const history = JSON.parse(historyToJSON(await client.workflow.getHandle(id, runId).fetchHistory()));
    found.push(history);
    runId = history.events.at(-1).workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return found;
}

function withoutDelays(folder) {
  for (const name of readdirSync(folder)) {
    const script = load(readFileSync(join(folder, name), 'utf8'));
    for (const reply of Object.values(script.replies ?? {}).flat()) delete reply.after;
    writeFileSync(join(folder, name), dump(script));
  }
  writeFileSync(join(folder, 'daily-quant-hanging.yaml'), dump({ extends: 'daily-quant', replies: { structure: [{ hang: true }] } }));
}

async function until(what, look) {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await pause(20)) {
    const seen = await look();
    if (seen) return seen;
  }
  throw new Error(`it did not come to this: ${what}`);
}
