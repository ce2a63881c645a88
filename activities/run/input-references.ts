import { isProven, type Starter } from '../../plan/people/starter';
import { CONTROL_KINDS, type ControlRef, type Sha256 } from '../../plan/run/artifact';
import type { Carry } from '../../plan/run/carry';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunInput } from '../../plan/run/run-input';
import { sameJson } from '../../plan/text/json';
import { asStored } from '../../records/stored-json';
import type { Toolbox } from '../toolbox';
import { invalidInput, REFERENCES } from './run-input';

/**
 * Checks the references in the input of a run that was never opened: the store must have each as content of the kind that its key says, so
 * Thermidor wrote it as that. Such a run may not name a state to continue from: only a run's own state counts, and it has saved none.
 *
 * Fails with `input.invalid`; with `input.elsewhere` if the content is nowhere in the store; with `store.unavailable`.
 */
export async function checkReferences(toolbox: Toolbox, input: RunInput): Promise<void> {
  if (input.resume) throw invalidInput(['"resume" names a state that this run has not saved: only continue-as-new sets it']);
  for (const key of Object.keys(REFERENCES) as (keyof typeof REFERENCES)[]) {
    const ref = input[key];
    if (ref === undefined || typeof ref === 'string' || !(await isMissing(() => toolbox.control.get(ref)))) continue;
    const elsewhere = [() => toolbox.artifacts.get({ sha256: ref.sha256 }), ...others(ref).map((one) => () => toolbox.control.get(one))];
    for (const get of elsewhere) {
      if (!(await isMissing(get))) throw invalidInput([`"${key}": thermidor has not stored ${ref.sha256} as a ${ref.kind}`]);
    }
    const hint = 'start it where the worker is, or give both the same store (state_dir, or store)';
    const message = `"${key}": the worker's store does not have ${ref.sha256}: the run was started from another one; ${hint}`;
    throw new ThermidorFailure('input.elsewhere', message, { sha256: ref.sha256 });
  }
}

/**
 * A rerun's carried records count only in the run for which they were gathered, with the same plan, args, script and starter: decisions of
 * people on one amount begin no run with another. Fails with `input.invalid`.
 */
export async function checkCarried(
  { control }: Toolbox,
  { carried, args = {}, script, parent }: Omit<RunInput, 'startedBy'>,
  plan: Sha256,
  starter: Starter | undefined,
): Promise<void> {
  if (!carried) return;
  const carry = asStored<Partial<Carry> | null>(await control.get(carried), carried.sha256, 'what a rerun carries over');
  const begins = carry?.begins;
  const scriptSha256 = typeof script === 'string' ? script : script?.sha256;
  const startedBy = starter?.kind === 'person' ? starter.name : undefined;
  const isStarter = begins?.startedBy === startedBy && (!begins?.provenStarter || isProven(starter));
  const isSame = begins?.plan === plan && sameJson(begins.args, args) && begins.script === scriptSha256 && isStarter;
  if (begins ? isSame : parent) return;
  throw invalidInput(['"carried" names results for a run with another plan, script or starter, or with other args']);
}

function others(ref: ControlRef): ControlRef[] {
  return CONTROL_KINDS.filter((kind) => kind !== ref.kind).map((kind) => ({ ...ref, kind }));
}

async function isMissing(get: () => Promise<Buffer>): Promise<boolean> {
  try {
    await get();
    return false;
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return true;
    throw error;
  }
}
