import { randomInt } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { ArtifactStore } from '../../activities/ports';
import { newRunId } from '../../client/run-id';
import type { StartRun } from '../../client/start-run';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import type { Script } from '../../plan/script';
import { checkedPipeline } from '../checked-pipeline';
import { queuesIn } from '../child-plans';
import type { Invocation } from '../command';
import type { Configuration } from '../configuration';
import { EXIT, usage } from '../exit';
import { finishDocument, printFinish } from '../following/finish';
import { comeBack, type Followed, follow } from '../following/follow';
import { type Compiled, loadScript } from '../pipelines';
import { readRunArgs } from '../run-args';
import { unservedBy, worksAlone } from '../serving';
import { openSession, type Session } from '../session';
import { configurationOf } from '../settings';
import { openStore } from '../store';
import type { Terminal } from '../terminal';
import { inWords, OR_A_SCRIPT, refusal, type Unserved } from '../unserved-agents';
import { tellUnservedQueues } from '../unserved-queues';
import { userOf } from '../user';

/** Starts a run and follows it. Everything that can be wrong with the order is found before anything is started. */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  const configuration = configurationOf({ options, terminal });
  const json = options.flag('json');
  const { pipeline, compiled } = checkedPipeline(args[0] ?? '', configuration, terminal);
  const { plan } = compiled;
  const scriptName = options.flag('live') ? undefined : options.text('script');
  const dry = options.flag('dryRun');
  const recordIn = recordingPath(options, terminal);
  const blob = (digest: string) => compiled.blobs.get(digest)?.content;
  const alone = scriptName === undefined && (await worksAlone(configuration));
  const unserved = alone ? await unservedBy(plan, async (digest) => blob(digest), configuration, terminal.env) : [];
  const refused = refusal(unserved, OR_A_SCRIPT);
  if (refused && !dry) throw refused;
  const script = scriptName === undefined ? undefined : loadScript(pipeline, scriptName, plan);
  const runArgs = readRunArgs(plan, options.text('argsJson'), options.list('arg'));
  if (dry)
    return printDryRun({
      compiled,
      configuration,
      terminal,
      args: runArgs,
      json,
      id: options.text('id'),
      script: script?.script,
      unserved,
    });
  const start: StartRun = { workflowId: runId(options.text('id'), plan), pipeline: plan.name, args: runArgs };
  if (plan.description !== undefined) start.description = plan.description;
  const startedBy = userOf(terminal, configuration.user.value);
  if (startedBy !== undefined) start.startedBy = startedBy;
  Object.assign(start, await storeAll(openStore(configuration.stateDir.value), compiled, script));

  const detach = options.flag('detach');
  // Where this program's worker is the only one, it takes the steps of every queue that the pipeline names.
  const queues = [...queuesIn(plan, blob)];
  const session = await openSession({
    configuration,
    need: detach ? 'server' : 'worker',
    progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
    pipelineDirs: [dirname(pipeline.path)],
    ...(queues.length === 0 ? {} : { queues }),
  });
  try {
    const { startRun } = require('../../client/start-run') as typeof import('../../client/start-run');
    const { run } = await startRun(session.client, start);
    await tellUnservedQueues(session, queues, terminal);
    if (detach) return leaveStarted(session, terminal, run, json);
    announce(session, terminal, run, script?.script, json);
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true, ...(script ? { script: script.script } : {}) });
    await report(session, terminal, run, followed, json);
    if (recordIn !== undefined) await record(session, terminal, run, recordIn);
    return followed.exit;
  } finally {
    await session.close();
  }
}

/** Where the run shall be recorded, found wrong before anything is started. */
function recordingPath(options: Invocation['options'], { cwd }: Terminal): string | undefined {
  const given = options.text('record');
  if (given === undefined) return undefined;
  if (options.flag('detach')) throw usage('--record needs somebody who follows the run', 'record it later: thermidor record <run> <file>');
  const { checkScriptPath } = require('../recording/save') as typeof import('../recording/save');
  const path = resolve(cwd, given);
  checkScriptPath(path, { replace: false });
  return path;
}

async function record(session: Session, terminal: Terminal, run: string, path: string): Promise<void> {
  const { saveRecording } = require('../recording/save') as typeof import('../recording/save');
  const { says } = await saveRecording(session, run, path, { replace: false });
  terminal.err(`\n${says}`);
}

/** Shared with `watch` and with decisions that go on to work on the run. */
export async function report(session: Session, terminal: Terminal, run: string, followed: Followed, json: boolean): Promise<void> {
  if (json) terminal.out(`${JSON.stringify(await finishDocument(session, run, followed), null, 2)}\n`);
  else if (followed.exit !== EXIT.detached) await printFinish(session, terminal, followed);
  if (followed.exit === EXIT.detached) terminal.err(`\n${comeBack(run, session)}`);
}

function announce(session: Session, terminal: Terminal, run: string, script: Script | undefined, json: boolean): void {
  const print = json ? terminal.err : terminal.out;
  const { colors } = terminal;
  print(`${colors.bold(run)}  ${colors.dim(session.embedded?.uiUrl ?? session.client.address)}\n`);
  if (script === undefined) return;
  print(`${colors.yellow(`The script "${script.name}" stands in for the agents: no model is asked.`)}\n`);
}

function leaveStarted(session: Session, terminal: Terminal, run: string, json: boolean): number {
  const { address, namespace } = session.client;
  if (json) terminal.out(`${JSON.stringify({ run, state: 'running', address, namespace }, null, 2)}\n`);
  else terminal.out(`${run}\n`);
  if (session.served === 'nowhere') terminal.err(`A worker must be there for it to go on: thermidor watch ${run}, or thermidor up.\n`);
  return EXIT.done;
}

export function runId(given: string | undefined, plan: Plan): string {
  if (given === undefined) return newRunId(plan.name, new Date(), (limit) => randomInt(limit));
  if (/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/.test(given)) return given;
  throw usage(`--id "${given}" cannot be a run's id`, 'letters, digits and _ . : - , at most 200');
}

interface DryRunOrder {
  compiled: Compiled;
  configuration: Configuration;
  terminal: Terminal;
  args: Record<string, Json>;
  json: boolean;
  id: string | undefined;
  script: Script | undefined;
  unserved: readonly Unserved[];
}

/** Needs no server, no worker and no store: the order is checked as for a run, and then only told. */
function printDryRun({ compiled, configuration, terminal, args, json, id, script, unserved }: DryRunOrder): number {
  const { dryRun } = require('../dry-run/dry-run') as typeof import('../dry-run/dry-run');
  const { renderDryRun } = require('../rendering/dry-run') as typeof import('../rendering/dry-run');
  const { plan, blobs } = compiled;
  const run = dryRun({
    plan,
    blobs,
    args,
    settings: configuration,
    ...(script === undefined ? {} : { script: script.name }),
    ...(id === undefined ? {} : { runId: runId(id, plan) }),
  });
  run.problems.push(...unserved.map(inWords));
  terminal.out(json ? `${JSON.stringify(run, null, 2)}\n` : renderDryRun(run, terminal.colors));
  return EXIT.done;
}

/** Plan, blobs and script in the store, before there is a run that needs them. Fails with `store.unavailable`. */
async function storeAll(
  store: ArtifactStore,
  compiled: Compiled,
  script: { text: string; script: Script } | undefined,
): Promise<Pick<StartRun, 'plan' | 'script'>> {
  const blobs = [...compiled.blobs.values()].map(({ content, mediaType, name }) => store.put(content, { mediaType, name }));
  const [plan] = await Promise.all([
    store.put(compiled.planText, { mediaType: 'application/json', name: `${compiled.plan.name}.plan.json` }),
    ...blobs,
  ]);
  const stored: Pick<StartRun, 'plan' | 'script'> = { plan };
  if (script !== undefined) {
    stored.script = await store.put(script.text, { mediaType: 'application/json', name: `${script.script.name}.script.json` });
  }
  return stored;
}
