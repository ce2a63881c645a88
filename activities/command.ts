import { ARTIFACT_LIMIT_BYTES } from '../plan/artifact';
import type { StepInput, StepOutput } from '../plan/contract';
import { render, type Scope } from '../plan/evaluate';
import { ThermidorFailure } from '../plan/failure';
import type { Json } from '../plan/json';
import type { CommandStep } from '../plan/step';
import { type ActivityCall, requireAddress } from './call';
import { withHeartbeat } from './heartbeat';
import { layOut } from './lay-out';
import { once } from './once';
import type { CommandRequest } from './ports';
import { loadRun, stepAt } from './run-record';
import { checkSchema } from './schema-check';
import { inputScope } from './scope';
import { shellCommand } from './shell-template';
import { stepValues } from './step-values';
import { asJson, getJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * One try of a `run:` step. Its stdout is the artifact, as it came; where it is JSON, that is the step's output.
 *
 * Fails with `command.failed` (also where `output:` promises JSON, or a schema, that stdout does not keep), `command.timeout`,
 * `output.too-large`, `values.too-large`, `store.unavailable`.
 */
export async function command(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  if (step.kind !== 'command') throw new ThermidorFailure('internal', `step "${step.id}" is no command`);
  const output = await once<StepOutput>(toolbox, call, async () => {
    const scope = await inputScope(toolbox, run, input);
    const request = commandRequest(step, scope);
    const { stdout } = await withHeartbeat(
      call,
      () => 0,
      () => toolbox.processes.run(request, call.signal),
    );
    return await report(toolbox, step, stdout);
  });
  await layOut(toolbox, call.key.workflowId, address, output.artifact);
  return output;
}

export function commandRequest(step: CommandStep, scope: Scope): CommandRequest {
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, template]) => [name, render(template, scope)]));
  const request: CommandRequest = { command: { argv: [] }, env, outputLimitBytes: ARTIFACT_LIMIT_BYTES };
  if ('shell' in step.command) {
    const { shell, env: values } = shellCommand(step.command.shell, scope);
    request.command = { shell };
    request.env = { ...env, ...values };
  } else {
    request.command = { argv: step.command.argv.map((word) => render(word, scope)) };
  }
  if (step.cwd) request.cwd = render(step.cwd, scope);
  if (step.stdin) request.stdin = render(step.stdin, scope);
  if (step.timeoutMs !== undefined) request.timeoutMs = step.timeoutMs;
  return request;
}

async function report({ artifacts }: Toolbox, step: CommandStep, stdout: string): Promise<StepOutput> {
  const parsed = parseJson(stdout);
  const wantsJson = step.output?.schema !== undefined || step.output?.name.endsWith('.json');
  if (wantsJson && parsed === undefined) throw broken(step, ['its stdout is not JSON'], []);
  const digest = step.output?.schema;
  if (digest !== undefined && parsed !== undefined) {
    const schema = await getJson<Json>(artifacts, { sha256: digest }, `the schema of "${step.id}"`);
    const problems = checkSchema(digest, schema, parsed);
    if (problems) throw broken(step, problems.problems, problems.missingFields);
  }
  const values = stepValues(step, parsed ?? stdout, stdout);
  const name = step.output?.name ?? `${step.id}.${parsed === undefined ? 'txt' : 'json'}`;
  const artifact = await artifacts.put(stdout, { mediaType: parsed === undefined ? 'text/plain' : 'application/json', name });
  return { artifact, ...(values ? { values } : {}) };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function broken(step: CommandStep, problems: string[], missingFields: string[]): ThermidorFailure {
  const all = [...problems, ...missingFields.map((path) => `missing field ${path}`)];
  const message = `the command of step "${step.id}" did not give ${step.output?.name ?? 'its output'}: ${all.join('; ')}`;
  return new ThermidorFailure('command.failed', message, asJson({ step: step.id, problems, missingFields }));
}
