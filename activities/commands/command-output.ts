import { ThermidorFailure } from '../../plan/run/failure';
import type { CommandStep } from '../../plan/steps/step';
import type { Readable, StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { plain } from '../../plan/text/spelled-json';
import { spelledUntrustedJson } from '../../plan/text/untrusted-json';
import type { ArtifactStore } from '../../records/artifact-store';
import { asJson, getJson } from '../../records/stored-json';
import { renderApproval } from '../gates/approval-request';
import { text, values as valuesOf } from '../masking/masking';
import type { CommandResult } from '../ports';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { outputValue } from '../run/template-scope';
import { checkSchema } from '../schemas/schema-check';
import { putWithText } from '../stored/put-with-text';
import { stepValues } from '../stored/step-values';
import type { Toolbox } from '../toolbox';
import { testReport } from './tested';

/** A command that has ended well, and the values that its step reads. */
export interface EndedCommand {
  run: LoadedRun;
  step: CommandStep;
  ended: CommandResult;
  readable: Readable;
  secrets: RunSecrets;
}

/** The output of a command's step: its stdout unchanged, or the result of its tests; and its travelling values. */
export async function commandOutput(
  toolbox: Toolbox,
  { run, step, ended, readable, secrets }: EndedCommand,
  put: ArtifactStore['put'] = (content, as) => toolbox.artifacts.put(content, as),
): Promise<StepOutput> {
  const { stdout } = ended;
  const report = step.tests && testReport(step.id, step.tests, ended, secrets.mask);
  const spelled = report ? asJson(report) : spelledUntrustedJson(stdout);
  const parsed = spelled === undefined ? undefined : plain(spelled);
  const wantsJson = step.output?.schema !== undefined || step.output?.name.endsWith('.json');
  if (wantsJson && parsed === undefined) throw broken(step, ['its stdout is not JSON'], []);
  const digest = step.output?.schema;
  if (digest !== undefined && spelled !== undefined) {
    const schema = await getJson<Json>(toolbox.artifacts, { sha256: digest }, `the schema of "${step.id}"`);
    const problems = await checkSchema({ ...toolbox, mask: secrets.mask }, digest, schema, spelled);
    if (problems) throw broken(step, problems.problems, problems.missingFields);
  }
  const value = outputValue(run, spelled !== undefined, spelled === undefined ? stdout : spelled);
  const values = stepValues(step, value, stdout);
  const name = step.output?.name ?? `${step.id}.${parsed === undefined ? 'txt' : 'json'}`;
  const artifact =
    report && parsed !== undefined
      ? await putWithText(toolbox.artifacts, name, parsed, stdout)
      : await put(stdout, { mediaType: parsed === undefined ? 'text/plain' : 'application/json', name });
  const output: StepOutput = { artifact };
  if (values) output.values = maskValues(values, secrets);
  const own = { value: plain(value), text: stdout };
  if (step.approval) output.approval = await renderApproval(toolbox, run, step, readable, own);
  return output;
}

/** Values become part of the run's history; secrets never do. */
export function maskValues(values: Record<string, Json>, secrets: RunSecrets): Record<string, Json> {
  return valuesOf<Json>(text)(values, secrets);
}

function broken(step: CommandStep, problems: string[], missingFields: string[]): ThermidorFailure {
  const all = [...problems, ...missingFields.map((path) => `missing field ${path}`)];
  const message = `the command of step "${step.id}" did not give ${step.output?.name ?? 'its output'}: ${all.join('; ')}`;
  return new ThermidorFailure('command.failed', message, asJson({ step: step.id, problems, missingFields }));
}
