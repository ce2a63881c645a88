import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { useChannel } from '../../compiler/lower/context';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { approversIn, approversOf } from '../../compiler/lower/people/people';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import { APPROVALS_CHANNEL } from '../../plan/plan';
import { describeTarget } from '../../plan/steps/action';
import type { EscalateStep } from '../../plan/steps/step';
import { APPLY_PART, CHECK_PART, FIRST_ATTEMPTS, OTHER_ATTEMPTS, PERSON_PART, WORKAROUND_PART } from './model';
import { type Level, partsOf } from './parts';
import { ESCALATION_OUTPUT_FIELDS } from './rules/issue';
import type { LevelSource } from './source';

type EscalateSource = WorkOf<'escalate'>;

export const ESCALATE_LOWERING: KindLowering<EscalateSource> = {
  lower: escalateStep,
  output: () => RECORD,
};

const RECORD: OutputShape = { kind: 'fields', fields: new Map(ESCALATION_OUTPUT_FIELDS.map((name) => [name, OPEN])) };

function escalateStep(work: EscalateSource, here: StepContext): LoweredStep | undefined {
  const { base, context, template, actions } = here;
  const matter = work.issue && lowerForm(work.issue, here);
  const levels = levelsOf(work, here);
  const check = template(work.solvedWhen?.run, { shell: true, environment: new Set(context.env.keys()) });
  const onRootCause = actions(work.onRootCause, 'on_root_cause');
  checkOrder(work, here);
  checkIds(levels, here);
  const [first] = levels;
  if (!work.levels || first?.kind !== 'agent' || levels.length <= work.levels.filter(({ kind }) => kind === 'agent').length)
    return undefined;
  const step: EscalateStep = {
    ...base,
    kind: 'escalate',
    ...defined({ matter, onRootCause, remember: work.remember === false ? undefined : true }),
    levels: levels.map(({ name, part, kind, attempts }) => ({ name, part, kind, attempts })),
    parts: partsOf({ levels, first: first.name, replans: onRootCause !== undefined, ...defined({ check }) }, here),
  };
  return { step };
}

/** The levels from L0 on; if the last is no person, anybody is added. */
function levelsOf({ levels = [], node }: EscalateSource, here: StepContext): Level[] {
  const levelsAt = entryOf(node, 'levels')?.value.at;
  const found = levels.flatMap((level, i) => levelOf(level, i, here) ?? []);
  if (!levelsAt || levels.at(-1)?.kind === 'person') return found;
  const anybody = levelOf({ kind: 'person', at: levelsAt }, levels.length, here);
  return anybody ? [...found, anybody] : found;
}

function levelOf(level: LevelSource, i: number, here: StepContext): Level | undefined {
  const attempts = level.attempts ?? (i === 0 ? FIRST_ATTEMPTS : OTHER_ATTEMPTS);
  if (level.kind === 'agent') {
    const agent = namedAgent(level.agent, here);
    return agent && { kind: 'agent', name: agent.id, part: partOfMember({ name: agent.id }), attempts };
  }
  const { context } = here;
  const { channel, name, timeoutMs, onTimeout } = level;
  if (channel) useChannel(channel, context);
  const approvers = name ? approversOf([name], context).approvers : approversIn(channel?.value ?? APPROVALS_CHANNEL, context);
  const called = name?.value ?? describeTarget({ kind: 'human', ...defined({ channel: channel?.value }) });
  const who = defined({ channel: channel?.value, approvers, timeoutMs });
  return { kind: 'person', name: called, part: PERSON_PART, attempts, who, onTimeout: onTimeout ?? 'workaround' };
}

/** An agent comes first, because others' answers go back to it; nobody is asked twice; after a person there is nobody. */
function checkOrder({ levels, node }: EscalateSource, { place, context: { report } }: StepContext): void {
  const levelsAt = entryOf(node, 'levels')?.value.at;
  if (!levels || !levelsAt) return;
  const { id } = place.step;
  const [first] = levels;
  if (first?.kind !== 'agent') {
    const message = `the first level of "${id}" is not an agent`;
    report('escalate.no-agent', first?.at ?? levelsAt, message, 'begin with the agent that carries out what the others say');
    return;
  }
  const seen = new Set<string>();
  for (const [i, level] of levels.entries()) {
    const last = i === levels.length - 1;
    if (level.kind === 'person') {
      if (!last)
        report(
          'escalation.after-human',
          levels[i + 1]?.at ?? level.at,
          `a level of "${id}" comes after a person, who is the last`,
          'put the person at the end',
        );
      continue;
    }
    const { value, at } = level.agent;
    if (seen.has(value))
      report('escalation.twice', at, `"${value}" is a level of "${id}" already`, 'give the existing level more `attempts`');
    seen.add(value);
  }
}

function checkIds(levels: readonly Level[], here: StepContext): void {
  const asked = levels.filter(({ kind }) => kind === 'agent').map(({ name, part }) => ({ part, called: `the attempt of ${name}` }));
  checkPartIds(here, [
    ...[...new Map(asked.map((one) => [one.part, one])).values()],
    { part: PERSON_PART, called: 'the question to a person' },
    { part: APPLY_PART, called: 'what the first agent carries out' },
    { part: WORKAROUND_PART, called: 'its workaround' },
    { part: CHECK_PART, called: 'its `solved_when`' },
  ]);
}
