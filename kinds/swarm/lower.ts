import { didYouMean } from '../../compiler/diagnostics/suggest';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { anyApprover } from '../../compiler/lower/people/people';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { lowerTests } from '../../compiler/lower/tests';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import type { SwarmStep } from '../../plan/steps/step';
import { DEFAULT_DIAGNOSIS_MS, DEFAULT_ROUNDS, FILES_PART, fixPart, ROLLBACK_PART, type SwarmAgent, VERIFY_PART } from './model';
import { partsOf } from './parts';
import { SWARM_OUTPUT_FIELDS } from './rules/diagnosis';

type SwarmSource = WorkOf<'swarm'>;

export const SWARM_LOWERING: KindLowering<SwarmSource> = {
  lower: swarmStep,
  output: () => RECORD,
};

const RECORD: OutputShape = { kind: 'fields', fields: new Map(SWARM_OUTPUT_FIELDS.map((name) => [name, OPEN])) };

function swarmStep(work: SwarmSource, here: StepContext): LoweredStep | undefined {
  const { base, context, template, actions } = here;
  const matter = work.issue && lowerForm(work.issue, here);
  const agents = agentsOf(work, here);
  const affected = affectedBy(work, here);
  const named = work.fixer === 'best' ? undefined : work.fixer;
  const fixer = named && namedAgent(named, here)?.id;
  const check = work.verify && ('node' in work.verify ? work.verify : { run: work.verify });
  const tests = check && 'tests' in check ? lowerTests(check.tests) : undefined;
  const verify = template(check?.run, { shell: true, environment: new Set(context.env.keys()) });
  const onFail = actions(work.onFail, 'on_fail');
  const fixers = named && !fixer ? [] : fixersOf(agents, fixer);
  checkIds(agents, fixers, here);
  if (!verify || agents.length === 0 || fixers.length === 0) return undefined;
  const step: SwarmStep = {
    ...base,
    kind: 'swarm',
    ...defined({ matter, fixer, readsTests: tests ? (true as const) : undefined }),
    ...{ affected, agents },
    pausesOthers: work.pause !== 'nothing',
    rounds: work.rounds ?? DEFAULT_ROUNDS,
    timeoutMs: base.timeoutMs ?? DEFAULT_DIAGNOSIS_MS,
    onFail: onFail ?? [{ kind: 'escalate', to: anyApprover(undefined, context) }],
    parts: partsOf({ agents, fixers, verify, ...defined({ tests }) }, here),
  };
  return { step };
}

function agentsOf({ agents = new Map(), node }: SwarmSource, here: StepContext): SwarmAgent[] {
  const { place, context } = here;
  const written = entryOf(node, 'agents')?.value;
  if (written?.kind === 'mapping' && written.entries.length === 0)
    context.report('swarm.no-agents', written.at, `nobody diagnoses in "${place.step.id}"`, 'name agents, each with its perspective');
  return [...agents].flatMap(([name, { keyAt, value: perspective }]) => {
    const found = namedAgent({ value: name, at: keyAt }, here);
    return found ? [{ name: found.id, part: partOfMember({ name: found.id }), perspective: perspective.value }] : [];
  });
}

function affectedBy({ affected = [] }: SwarmSource, { place, context }: StepContext): string[] {
  const { byId } = context.places;
  return affected.flatMap(({ value, at }) => {
    if (byId.has(value) && value !== place.step.id) return [value];
    const message =
      value === place.step.id
        ? `"affected" of step "${value}" names the step itself`
        : `"affected" of step "${place.step.id}" names "${value}", which does not exist`;
    context.report('step.unknown-step', at, message, () => didYouMean(value, byId.keys(), 'it takes the ids of other steps'));
    return [];
  });
}

/** Agents that may have to apply a diagnosis: their authors, or the one that is named. */
function fixersOf(agents: readonly SwarmAgent[], named: string | undefined): Pick<SwarmAgent, 'name' | 'part'>[] {
  if (named === undefined) return agents.map(({ name, part }) => ({ name, part }));
  return [{ name: named, part: partOfMember({ name: named }) }];
}

function checkIds(agents: readonly SwarmAgent[], fixers: readonly Pick<SwarmAgent, 'name' | 'part'>[], here: StepContext): void {
  checkPartIds(here, [
    ...agents.map(({ name, part }) => ({ part, called: `the diagnosis of ${name}` })),
    ...fixers.map(({ name, part }) => ({ part: fixPart(part), called: `the fix of ${name}` })),
    { part: FILES_PART, called: 'its search for files' },
    { part: VERIFY_PART, called: 'its `verify`' },
    { part: ROLLBACK_PART, called: 'what takes a fix back' },
  ]);
}
