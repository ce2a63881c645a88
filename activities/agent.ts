import { ThermidorFailure } from '../plan/failure';
import { criticKey } from '../plan/script';
import type { AgentStep, ReviewStep, Step } from '../plan/step';
import type { LoopPosition, StepInput, StepOutput } from '../plan/step-work';
import { adapterFor } from './agent-adapter';
import { type AgentTask, agentTask } from './agent-task';
import { renderApproval } from './approval-request';
import { type ActivityCall, requireAddress } from './call';
import { type ConversationResult, converse } from './conversation';
import { withDeadline } from './deadline';
import { withHeartbeat } from './heartbeat';
import { layOut } from './lay-out';
import { once } from './once';
import type { AgentAdapter } from './ports';
import { checkReply, describeBad } from './reply';
import { type LoadedRun, loadRun, stepAt } from './run-record';
import { stepValues } from './step-values';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';
import { idempotencyKey, openTranscript } from './transcript';

/** Repair requests for a bad reply within one try, where the step does not say (protocol.md point 11). */
const REPAIRS = 1;

/**
 * One try of an agent or review step: asks, records, validates, repairs, stores, reports. A reply is taken from the transcript,
 * where secrets are masked; so whatever an agent says of one, it is masked in its output too.
 *
 * Fails with `agent.timeout`, `reply.invalid` and `reply.no-verdict` (details `{missingFields, problems, previous, usage?}`),
 * `adapter.unavailable`, `values.too-large`, `output.too-large`, `store.unavailable`, and what the adapter fails with.
 */
export async function agent(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = workOf(stepAt(run, address), input);
  const output = await once<StepOutput>(toolbox, call, async () => {
    const adapter = adapterFor(toolbox, run, step.agent);
    const task = await agentTask(toolbox, run, step, input);
    const result = await ask(toolbox, call, {
      ...{ run, step, adapter, task, loops: input.loops ?? [] },
      scriptKey: input.critic ? criticKey(step.id) : step.id,
    });
    const output = await report(toolbox, step, adapter, result);
    if (!step.approval) return output;
    const own = { value: result.reply.kind === 'good' ? result.reply.value : null, text: result.raw };
    return { ...output, approval: await renderApproval(toolbox, run, step, input, own) };
  });
  await layOut(toolbox, call.key.workflowId, address, output.artifact);
  return output;
}

/** The step as whoever is asked has it: a critic judges as the reviewer does, under its own name. */
function workOf(step: Step, { critic }: StepInput): AgentStep | ReviewStep {
  if (step.kind === 'review' && critic && step.critic !== undefined) {
    return { ...step, agent: step.critic, output: { ...step.output, name: `critic.${step.output?.name ?? 'json'}` } };
  }
  if (step.kind === 'agent' || step.kind === 'review') return step;
  throw new ThermidorFailure('internal', `step "${step.id}" is no agent's`);
}

interface Ask {
  /** What a script answers for it by. */
  scriptKey: string;
  run: LoadedRun;
  step: AgentStep | ReviewStep;
  adapter: AgentAdapter;
  task: AgentTask;
  loops: readonly LoopPosition[];
}

async function ask(toolbox: Toolbox, call: ActivityCall, { scriptKey, run, step, adapter, task, loops }: Ask): Promise<ConversationResult> {
  const address = requireAddress(call);
  const transcript = await openTranscript(toolbox, call, task.secrets.mask);
  let turns = transcript.turns().length;
  const limit = { ms: task.timeoutMs, error: () => timedOut(step, task.timeoutMs ?? 0) };
  const conversation = {
    adapter,
    transcript,
    repairs: step.repair ?? REPAIRS,
    request: (ask: number, prompt: string) => ({
      idempotencyKey: idempotencyKey(call, ask),
      stepId: scriptKey,
      address,
      ask,
      agent: task.agent,
      prompt,
      ...(loops.length > 0 ? { iterations: loops.map(({ index }) => index) } : {}),
      ...(task.form.schema ? { schema: task.form.schema.value } : {}),
      ...(run.script ? { script: run.script } : {}),
    }),
    check: (reply: string) => checkReply(reply, task.form),
    onTurn: () => {
      turns += 1;
    },
  };
  return await withHeartbeat(
    call,
    () => turns,
    () => withDeadline(call.signal, limit, (signal) => converse(conversation, task.prompt, signal)),
  );
}

async function report(
  toolbox: Toolbox,
  step: AgentStep | ReviewStep,
  adapter: AgentAdapter,
  result: ConversationResult,
): Promise<StepOutput> {
  const { reply, raw, usage, repairs } = result;
  const name = step.output?.name ?? `${step.id}.${reply.kind === 'good' && reply.json ? 'json' : 'md'}`;
  if (reply.kind === 'bad') {
    const previous = await toolbox.artifacts.put(raw, { mediaType: 'text/plain', name: `${name}.refused.txt` });
    const { missingFields, problems } = reply;
    const asked = repairs.length === 0 ? '' : `, also after ${repairs.length} repair request${repairs.length === 1 ? '' : 's'}`;
    const details = asJson({ step: step.id, missingFields, problems, previous, ...(usage ? { usage } : {}) });
    throw new ThermidorFailure(reply.code, `agent "${step.agent}" did not give ${name}${asked}: ${describeBad(reply)}`, details);
  }
  const values = stepValues(step, reply.value);
  const artifact = await toolbox.artifacts.put(reply.text, { mediaType: reply.json ? 'application/json' : 'text/plain', name });
  return {
    artifact,
    adapter: adapter.name,
    ...(values ? { values } : {}),
    ...(reply.verdict ? { verdict: reply.verdict } : {}),
    ...(usage ? { usage } : {}),
    ...(repairs.length > 0 ? { repairs } : {}),
  };
}

function timedOut(step: AgentStep | ReviewStep, timeoutMs: number): ThermidorFailure {
  return new ThermidorFailure('agent.timeout', `agent "${step.agent}" did not finish step "${step.id}" within ${timeoutMs} ms`, {
    timeoutMs,
  });
}
