import { render } from '../../plan/expressions/evaluate';
import { type Form, fillForm } from '../../plan/expressions/form';
import { type ApplyRuleInput, type ApplyRuleOutput, applyRule as decide } from '../../plan/patterns/rule';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Readable } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { runSecrets } from '../run/run-secrets';
import { inputScope, templateValue } from '../run/template-scope';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';

/**
 * Lets a rule decide over documents in the store, and over the step's matter. Repeating it is harmless: the same documents give the same
 * result. The result goes to people and into history, so the rule reads the documents masked.
 *
 * Fails with `artifact.missing`, `output.too-large`, `values.too-large`, `store.unavailable`, and with the rule's own failures.
 */
export async function applyRule(
  toolbox: Toolbox,
  call: ActivityCall,
  { at, as, call: asked, documents, matter, grantsOf }: ApplyRuleInput,
): Promise<ApplyRuleOutput> {
  const { artifacts } = toolbox;
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress({ id: at ?? call.id }));
  const { maskJson } = await runSecrets(toolbox, run);
  const found: Record<string, Json> = {};
  for (const [name, ref] of Object.entries(documents ?? {})) found[name] = maskJson((await storedValue(artifacts, ref)).value);
  if (matter && 'matter' in step) found['matter'] = await matterOf(toolbox, run, step.matter, matter);
  if (grantsOf !== undefined) found['granted'] = [...(await toolbox.grants.inForce(grantsOf))];
  const { result, values } = decide(asked, found);
  checkSize(values, step.id, asked.rule);
  const artifact = await artifacts.put(jsonText(result), { mediaType: 'application/json', name: `${step.id}.${as}.json` });
  return { artifact, values };
}

/** Agents and people read it: of a secret it has the reference. */
async function matterOf(toolbox: Toolbox, run: LoadedRun, form: Form, readable: Readable): Promise<Json> {
  const scope = await inputScope(toolbox, run, readable, 'people');
  return fillForm(form, (template) => templateValue(template, scope, render(template, scope)));
}

function checkSize(values: object, step: string, rule: string): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(values));
  if (sizeBytes <= CONTROL_VALUES_LIMIT_BYTES) return;
  throw new ThermidorFailure(
    'values.too-large',
    `what "${rule}" decides in step "${step}" has ${sizeBytes} bytes; at most ${CONTROL_VALUES_LIMIT_BYTES} may control a run`,
    { step, rule, sizeBytes, limitBytes: CONTROL_VALUES_LIMIT_BYTES },
  );
}
