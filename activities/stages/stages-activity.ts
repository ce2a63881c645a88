import { render } from '../../plan/expressions/evaluate';
import type { GateForm } from '../../plan/people/gate';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { StagesInput, StagesOutput } from '../../plan/steps/container-activities';
import type { StagesStep } from '../../plan/steps/step';
import type { RenderedApproval } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { shortened } from '../../plan/text/shortened';
import { numberAt, spelledList } from '../../plan/text/spelled-json';
import { asJson, getJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { maskValues } from '../commands/command-output';
import { renderApproval } from '../gates/approval-request';
import { requireApproval } from '../gates/approved-action';
import { QUESTION_LIMIT } from '../gates/gate-question';
import { withHeartbeat } from '../heartbeat';
import { endsHere, failedWithBegins, gatherBegins, noteBegin, requireFirst, withIntents } from '../intents';
import { openStepLog, type StepLog } from '../logs/step-log';
import { once } from '../once';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { type InputScope, inputScope, templateValue } from '../run/template-scope';
import { noteProduced } from '../store-output';
import { publishOutput } from '../stored/publish-output';
import { storedList } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { pipeOutput, storePipeOutput } from './pipe-output';
import { runStages } from './run-stages';
import { renderStage } from './stage-call';
import { type PipeEnvironment, stageEnvironment } from './stage-environment';
import type { StagePorts } from './stage-ports';
import { workflowsOf } from './workflows';

/** A timer counts to 2^31-1 ms, about 25 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs work under a signal that is aborted when the caller's is or when the time is up, and waits until the work and everything it started
 * has ended. Fails with `command.timeout`.
 */
async function withinStageTimeout<T>(
  outer: AbortSignal,
  timeoutMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return await work(outer);
  const limit = new AbortController();
  const late = () => limit.abort(new ThermidorFailure('command.timeout', `the pipe did not finish within ${timeoutMs} ms`, { timeoutMs }));
  const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_MS));
  try {
    return await work(AbortSignal.any([outer, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A Lobster pipe: from its beginning, or after the stage that asked, up to its end or the next stage that asks. After a kill the worker
 * continues at the stage it was in; effects and payments of earlier stages are not repeated.
 *
 * Fails with `stage.failed`, `command.failed`, `command.timeout`, `output.too-large`, `values.too-large`, `approval.missing`,
 * `store.unavailable`.
 */
export async function stages(toolbox: Toolbox, call: ActivityCall, input: StagesInput): Promise<StagesOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  if (!('stages' in step)) throw bug(`step "${step.id}" is not a pipe`);
  // After each halt it is another piece of work, whether or not the activity has the same id.
  const id = input.from === undefined ? call.id : `${call.id}/from/${input.from.stage}`;
  const output = await withHeartbeat(
    call,
    () => 0,
    () => once<StagesOutput>(toolbox, { ...call, id }, () => pipe({ toolbox, call, run, step }, input)),
  );
  if (output.kind === 'done') await publishOutput(toolbox, call.key.workflowId, address, output.output.artifact);
  return output;
}

interface Work {
  toolbox: Toolbox;
  call: ActivityCall;
  run: LoadedRun;
  step: StagesStep;
}

async function pipe(work: Work, input: StagesInput): Promise<StagesOutput> {
  const { toolbox, call, run, step } = work;
  await requireApproval(toolbox, run, step, requireAddress(call), input);
  const scope = await inputScope(toolbox, run, input);
  const calls = step.stages.map((stage) => renderStage(stage, scope));
  const items = await startItems(toolbox, step, scope, input.from);
  const environment = await stageEnvironment(toolbox, run, step, scope);
  const from = input.from === undefined ? 0 : input.from.stage + 1;
  const log = openStepLog(toolbox, call, scope.secrets);
  const begins = gatherBegins();
  const end = await withIntents(toolbox, call, (intents) => {
    const within = async <T>(effect: string, perform: () => Promise<T>): Promise<T> => {
      const noted = await noteBegin(intents, effect);
      begins.add(noted.begins);
      requireFirst(step, noted.hasBegun);
      return await perform().catch(async (error: unknown) => {
        if (endsHere(call)) await noted.over();
        throw error;
      });
    };
    return withinStageTimeout(call.signal, step.timeoutMs, (signal) =>
      runStages(calls, items, stagePorts(work, scope.secrets, within, signal, environment, log), from),
    );
  })
    .catch((error: unknown) => {
      throw failedWithBegins(error, begins.all());
    })
    .finally(log.close);
  if (end.kind === 'done') {
    const made = pipeOutput(end.items, end.rendered);
    const stored = await storePipeOutput({ ...toolbox, mask: scope.secrets.mask }, step, made, run.plan.dialect);
    const output = stored.values ? { ...stored, values: maskValues(stored.values, scope.secrets) } : stored;
    if (!step.approval) return { kind: 'done', output, ...begins.all() };
    const own = { value: made.value ?? null, text: made.stdout };
    return { kind: 'done', output: { ...output, approval: await renderApproval(toolbox, run, step, input, own) }, ...begins.all() };
  }
  const kept = await toolbox.artifacts.put(jsonText(end.items), { mediaType: 'application/json', name: `${step.id}.items.json` });
  return {
    kind: 'asks',
    stage: end.stage,
    items: kept,
    gate: end.gate,
    question: await question(toolbox, step, scope, end.form),
    ...begins.all(),
  };
}

function stagePorts(
  { toolbox, call }: Work,
  { mask }: RunSecrets,
  within: <T>(effect: string, perform: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
  environment: PipeEnvironment,
  log: StepLog,
): StagePorts {
  return {
    processes: { run: (request, within) => toolbox.processes.run({ ...request, mask, onOutput: log.program() }, within) },
    http: toolbox.http,
    files: toolbox.files,
    matching: toolbox.matching,
    log: toolbox.log,
    mask,
    workflows: () => workflowsOf(toolbox.pipelines),
    ...environment,
    signal,
    nowMs: () => Date.now(),
    limitBytes: ARTIFACT_LIMIT_BYTES,
    once: (name, work) => {
      const id = `${call.id}/stage/${name}`;
      return runStageOnce(toolbox, { ...call, id }, () => within(id, work));
    },
  };
}

/** The input of the first stage: the step's input, a list's entries each; after a halt the approved items. */
async function startItems(toolbox: Toolbox, step: StagesStep, scope: InputScope, from: StagesInput['from']): Promise<readonly Json[]> {
  if (from) {
    if (from.approved) return await storedList(toolbox.artifacts, from.items);
    if (from.response === undefined) throw bug(`the pipe of "${step.id}" goes on without an answer`);
    return spelledList([numberAt(from, 'response') ?? from.response]);
  }
  if (!step.stdin) return [];
  const value = templateValue(step.stdin, scope, render(step.stdin, scope));
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

async function question(toolbox: Toolbox, step: StagesStep, scope: InputScope, form: GateForm): Promise<RenderedApproval> {
  const shown = jsonText(scope.secrets.maskJson(asJson(form)));
  const ref: ArtifactRef = await toolbox.artifacts.put(shown, { mediaType: 'application/json', name: `${step.id}.form.json` });
  return { form: ref, question: shortened(scope.secrets.mask(form.prompt).trim(), QUESTION_LIMIT) };
}

/** Up to this length a result is in the ledger's record itself; a longer one is an artifact. */
const IN_RECORD_LENGTH = 16 * 1024;

/** Like `once`, for results of any size. */
async function runStageOnce<T>(toolbox: Toolbox, call: ActivityCall, work: () => Promise<T>): Promise<T> {
  const record = await once<{ value: Json } | { artifact: ArtifactRef }>(toolbox, call, () =>
    noteProduced(toolbox, call, work, async (result) => {
      const text = jsonText(result);
      if (text.length <= IN_RECORD_LENGTH) return { value: asJson(result) };
      return { artifact: await toolbox.artifacts.put(text, { mediaType: 'application/json' }) };
    }),
  );
  if ('artifact' in record) return await getJson<T>(toolbox.artifacts, record.artifact, `what stage "${call.id}" gave`);
  const value: unknown = record.value;
  return value as T;
}
