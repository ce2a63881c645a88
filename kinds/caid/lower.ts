import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { renderedBy } from '../../compiler/lower/references';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import { subexpressions } from '../../plan/expressions/expression';
import type { CaidStep } from '../../plan/steps/step';
import { asksAgent } from '../questions';
import { CAID_PARTS } from './model';
import { partsOf } from './parts';
import { MOST_UNITS } from './rules/task-graph';
import { DEFAULT_RETURNS, DEFAULT_ROUNDS, DEFAULT_VERIFY, ENGINEERS_OF } from './rules/team';
import type { CaidSource } from './source';

export const CAID_LOWERING: KindLowering<CaidSource> = {
  lower: caidStep,
  output: () => RESULT,
};

const RESULT: OutputShape = {
  kind: 'fields',
  fields: new Map(
    ['status', 'base', 'head', 'tasks', 'engineers', 'restricted', 'warnings', 'changes', 'returned'].map((name) => [name, OPEN]),
  ),
};

function caidStep(work: CaidSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context, template, templates } = here;
  const [manager, engineer] = [work.manager, work.engineers].map((name) => name && namedAgent(name, here));
  const goal = template(work.prompt);
  const repo = template(work.repo) ?? context.cwd;
  const environment = new Set(context.env.keys());
  const setup = (work.setup ?? []).flatMap((command) => {
    const found = template(command, { shell: true, environment });
    return found ? [found] : [];
  });
  checkPartIds(
    here,
    CAID_PARTS.map((part) => ({ part, called: `its ${part}` })),
  );
  checkTeam(work, here);
  checkFallback(here);
  if (!manager || !engineer || !goal || !work.into) return undefined;
  const { inputs, records } = renderedBy(templates, (name) => context.variable(name, place));
  const parts = partsOf(
    { ...without(work), manager: manager.id, engineer: engineer.id, goal, setup, into: work.into.value, ...defined({ repo }) },
    { ...here, reads: defined({ inputs: inputs.size > 0 ? [...inputs] : undefined, records: records.length > 0 ? records : undefined }) },
  );
  const step: CaidStep = {
    ...base,
    kind: 'caid',
    parts,
    prompt: context.blobs.add(goal, `${base.id}.prompt.json`),
    into: work.into.value,
    ...defined({ repo, testEach: work.testEach, testEnd: work.testEnd }),
    engineers: work.isolation === 'single' ? 1 : (work.most?.value ?? ENGINEERS_OF[work.taskType ?? 'general']),
    limits: {
      rounds: work.rounds ?? DEFAULT_ROUNDS,
      returns: work.returns ?? DEFAULT_RETURNS,
      ...defined({ roundsPerEngineer: work.roundsPerEngineer }),
    },
    verify: work.verify ?? DEFAULT_VERIFY,
    isolation: work.isolation ?? 'worktree',
    restricted: work.restricted ?? [],
  };
  return { step };
}

function without({ repo: _repo, ...work }: CaidSource): Omit<CaidSource, 'repo'> {
  return work;
}

function checkTeam(
  { most, isolation, taskType, testEach, testEnd, rounds, roundsPerEngineer }: CaidSource,
  { place, context }: StepContext,
): void {
  const { at, id } = place.step;
  if ((most ? most.value === 1 : isolation === 'single') && rounds === undefined && roundsPerEngineer === undefined)
    context.report(
      'caid.few-rounds',
      most?.at ?? at,
      `the one engineer of caid step "${id}" gets ${DEFAULT_ROUNDS} assignments: a graph of more tasks cannot be finished`,
      `add \`limits: { rounds: ${MOST_UNITS} }\`, or more engineers`,
    );
  if (most && most.value > 1 && isolation === 'single')
    context.report(
      'caid.one-engineer',
      most.at,
      `"max" is ${most.value}, and with \`isolation: single\` there is one engineer`,
      'leave out one of them',
    );
  if (most && taskType && most.value > ENGINEERS_OF[taskType]) {
    const message = `"max" is ${most.value}; for ${taskType} ${ENGINEERS_OF[taskType]} engineers did best, and more did worse`;
    context.report('caid.many-engineers', most.at, message, `write \`max: ${ENGINEERS_OF[taskType]}\`, or leave out \`task_type\``);
  }
  if (testEach === undefined && testEnd === undefined)
    context.report(
      'caid.untested',
      at,
      `caid step "${id}" has no "test": only what its manager calls acceptance is tested`,
      'add `test:`, such as `test: npm test`',
    );
}

/** Trying one agent first, and a team if it fails, costs nearly twice and gains little (arXiv 2603.21489): the team has to begin. */
function checkFallback({ base, place, context }: StepContext): void {
  const { when, id, at } = place.step;
  if (!when || !base.when) return;
  for (const part of subexpressions(base.when)) {
    if (part.kind !== 'call' || part.function !== 'failed') continue;
    for (const of of part.arguments) {
      if (of.kind !== 'output') continue;
      const work = context.places.byId.get(of.step)?.step.work;
      if (!work || !asksAgent(work)) continue;
      const message = `caid step "${id}" begins where the agent of "${of.step}" has failed`;
      context.report(
        'caid.fallback',
        at,
        message,
        `leave out "${of.step}": a team that has to finish what one agent has begun costs nearly twice`,
      );
    }
  }
}
