import { asksAgent, runsChild } from '../../kinds/questions';
import { traitsOf } from '../../kinds/traits';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import { everyStep, stepsWithin } from '../../plan/steps/walk';
import { isJsonObject, type Json, sameJson } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { planFromText } from '../pipelines/child-plans';

type ReadBlob = (sha256: string) => Promise<string>;

/** Keys of a step whose content is not in the plan but a JSON blob under its digest. */
const BLOB_KEYS = ['prompt', 'input', 'with'] as const;

/** The args that differ between the new run and the earlier one, as people read them, and the steps that read each, by id. */
export async function changedArgs(
  plan: Plan,
  before: Readonly<Record<string, Json>>,
  args: Readonly<Record<string, Json>>,
  blob: ReadBlob,
): Promise<Record<string, string[]>> {
  const names = Object.keys({ ...before, ...args }).filter((name) => !sameJson(args[name] ?? null, before[name] ?? null));
  const found: Record<string, string[]> = {};
  for (const name of names) found[`arg ${name}`] = await stepsReadingArgs(plan, new Set([name]), blob);
  return found;
}

/**
 * The steps, by id, that read one of some args: in a condition, a template, a prompt, the args of a child pipeline, the context of their
 * agents. Inner steps are listed separately. In the Lobster dialect every command has all args in its environment.
 */
export async function stepsReadingArgs(plan: Plan, args: ReadonlySet<string>, blob: ReadBlob): Promise<string[]> {
  if (args.size === 0) return [];
  const inContext = [...args].filter((name) => Object.hasOwn(plan.context ?? {}, name));
  const found: string[] = [];
  for (const step of everyStep<Step>(plan.block.steps)) {
    const reads =
      (plan.dialect === 'lobster' && hasCommands(step)) ||
      readsAny(ownPart(step), args) ||
      (await blobReads(step, args, blob)) ||
      (await knowsContext(step, inContext, blob));
    if (reads) found.push(step.id);
  }
  return found;
}

/** What reads an arg that no step of the main block reads; undefined if nothing does. */
export async function lateReader(plan: Plan, arg: string, blob: ReadBlob): Promise<'finally' | 'output' | undefined> {
  const args = new Set([arg]);
  if (plan.finally && (await stepsReadingArgs({ ...plan, block: plan.finally }, args, blob)).length > 0) return 'finally';
  return plan.output && readsAny(plan.output, args) ? 'output' : undefined;
}

/** Whether the agents of a step, or those of its child pipeline, have one of these in the context of their tasks. */
async function knowsContext(step: Step, names: readonly string[], blob: ReadBlob): Promise<boolean> {
  if (names.length === 0) return false;
  if (asksAgent(step)) return true;
  if (!runsChild(step)) return false;
  const child = planFromText(await blob(step.plan));
  return names.some((name) => Object.hasOwn(child?.context ?? {}, name));
}

async function blobReads(step: Step, args: ReadonlySet<string>, blob: ReadBlob): Promise<boolean> {
  for (const [key, value] of Object.entries(step)) {
    if (!BLOB_KEYS.some((known) => known === key) || typeof value !== 'string') continue;
    if (readsAny(parsed(await blob(value), key), args)) return true;
  }
  return false;
}

function parsed(text: string, key: string): unknown {
  const read = jsonIn(text);
  if (read === undefined) throw new ThermidorFailure('artifact.missing', `the "${key}" of a step, as the store has it, is not JSON`);
  return read;
}

/** A step without its inner steps, which are examined separately. */
function ownPart(step: Step): unknown {
  if (stepsWithin<Step>(step).length === 0) return step;
  const { branches: _branches, block: _block, ...own }: Record<string, unknown> = { ...step };
  return own;
}

function hasCommands({ kind }: Step): boolean {
  return traitsOf(kind).environment === true;
}

/** Whether an expression of an arg is anywhere in plain data. */
function readsAny(value: unknown, args: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item: unknown) => readsAny(item, args));
  if (!isJsonObject(value)) return false;
  const { kind, name }: Record<string, Json> = value;
  if (kind === 'arg' && typeof name === 'string' && args.has(name)) return true;
  return Object.values(value).some((item) => readsAny(item, args));
}
