import type { Located } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { renderedBy } from '../../compiler/lower/references';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import { subexpressions } from '../../plan/expressions/expression';
import type { CaidStep } from '../../plan/steps/step';
import { asksAgent } from '../questions';
import { CAID_PARTS } from './model';
import { partsOf } from './parts';
import { MOST_UNITS } from './rules/task-graph';
import { DEFAULT_RETURNS, DEFAULT_ROUNDS, DEFAULT_VERIFY, ENGINEERS_OF } from './rules/team';

type CaidSource = WorkOf<'caid'>;

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
  const named = work.engineers && ('node' in work.engineers ? work.engineers.agent : work.engineers);
  const [manager, engineer] = [work.manager, named].map((name) => name && namedAgent(name, here));
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
  const { into, taskType, verify = DEFAULT_VERIFY, isolation = 'worktree', limits } = work;
  const tests = testsOf(work);
  const texts = (written: Located<string>[] | undefined) => written?.map(({ value }) => value);
  const parts = partsOf(
    {
      ...{ manager: manager.id, engineer: engineer.id, goal, setup, into: into.value, verify, isolation },
      ...defined({ repo, taskType, base: work.base?.value, remote: work.remote?.value, copy: texts(work.copy), testEnd: tests.end }),
    },
    { ...here, reads: defined({ inputs: inputs.size > 0 ? [...inputs] : undefined, records: records.length > 0 ? records : undefined }) },
  );
  const step: CaidStep = {
    ...base,
    kind: 'caid',
    parts,
    prompt: context.blobs.add(goal, `${base.id}.prompt.json`),
    into: into.value,
    ...defined({ repo, testEach: tests.each, testEnd: tests.end }),
    engineers: isolation === 'single' ? 1 : (mostOf(work) ?? ENGINEERS_OF[taskType ?? 'general']),
    limits: {
      rounds: limits?.rounds ?? DEFAULT_ROUNDS,
      returns: limits?.returns ?? DEFAULT_RETURNS,
      ...defined({ roundsPerEngineer: limits?.roundsPerEngineer }),
    },
    ...{ verify, isolation },
    restricted: texts(work.restricted) ?? [],
  };
  return { step };
}

function mostOf({ engineers }: CaidSource): number | undefined {
  return engineers && 'node' in engineers ? engineers.max : undefined;
}

/** One command serves each merged tree and the last. */
function testsOf({ test }: CaidSource): { each?: string; end?: string } {
  if (!test) return {};
  return 'node' in test ? defined({ each: test.each?.value, end: test.end?.value }) : { each: test.value, end: test.value };
}

function checkTeam(work: CaidSource, { place, context }: StepContext): void {
  const { isolation, taskType, limits, engineers } = work;
  const { at, id } = place.step;
  const most = mostOf(work);
  const mostAt = (engineers && 'node' in engineers && entryOf(engineers.node, 'max')?.value.at) || at;
  if ((most ? most === 1 : isolation === 'single') && limits?.rounds === undefined && limits?.roundsPerEngineer === undefined)
    context.report(
      'caid.few-rounds',
      mostAt,
      `the one engineer of caid step "${id}" gets ${DEFAULT_ROUNDS} assignments: a graph of more tasks cannot be finished`,
      `add \`limits: { rounds: ${MOST_UNITS} }\`, or more engineers`,
    );
  if (most && most > 1 && isolation === 'single')
    context.report(
      'caid.one-engineer',
      mostAt,
      `"max" is ${most}, but with \`isolation: single\` there is one engineer`,
      'leave out one of them',
    );
  if (most && taskType && most > ENGINEERS_OF[taskType]) {
    const message = `"max" is ${most}; for ${taskType}, ${ENGINEERS_OF[taskType]} engineers did best, and more did worse`;
    context.report('caid.many-engineers', mostAt, message, `write \`max: ${ENGINEERS_OF[taskType]}\`, or leave out \`task_type\``);
  }
  const { each, end } = testsOf(work);
  if (each === undefined && end === undefined)
    context.report(
      'caid.untested',
      at,
      `caid step "${id}" has no "test", so only the acceptance commands of its manager test the work`,
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
      const message = `caid step "${id}" begins only after the agent of "${of.step}" has failed`;
      context.report(
        'caid.fallback',
        at,
        message,
        `leave out "${of.step}": a team that must finish what one agent has begun costs nearly twice as much`,
      );
    }
  }
}
