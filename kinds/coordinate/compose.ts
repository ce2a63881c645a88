import type { Made } from '../../compiler/read/made-node';
import type { SourceNode } from '../../compiler/read/node';
import type { BlockedAction } from './model';
import type { TaskFacts } from './rules/select';

/** The parts of a coordinate step: nodes of the file, if it names them. */
export interface Parts {
  /** The id of the step: its steps are called `<id>_plan` and so on. */
  id: string;
  facts: TaskFacts;
  has(pattern: string): boolean;
  task: SourceNode;
  roles: Readonly<Record<'coordinator' | 'planner' | 'executor' | 'tester', SourceNode>> & { expert?: SourceNode };
  /** @default planner, executor and tester */
  voters?: SourceNode;
  test?: SourceNode;
  /** Where `test` reports its tests. */
  tests?: SourceNode;
  /** The branch in which increments land. */
  into?: SourceNode;
  blockedAfter: Made;
  onBlocked: BlockedAction;
}

/**
 * The steps of PLAN, EXECUTE and VALIDATE, as a file would have them. A blocked one, because it fails or is not done in time, calls the
 * escalation or the swarm.
 */
export function stepsOf(parts: Parts): Made[] {
  return [...planning(parts), ...executing(parts), ...validating(parts), rescuing(parts)];
}

function planning(parts: Parts): Made[] {
  const { facts, has, task, roles, voters } = parts;
  const { planner, coordinator, executor, tester, expert } = roles;
  const name = namesOf(parts);
  const advised = has('CP-8') && expert !== undefined;
  return [
    { id: name.task, run: 'cat', stdin: task },
    ...(advised ? [adviceOf(parts, expert)] : []),
    {
      ...{ id: name.plan, agent: planner, ...phase(parts) },
      prompt: `Plan this task as JSON {"tasks": [{"id", "title", "depends_on"}], "summary"}. Tasks that depend on nothing come first.\n\n\${${name.task}}${advised ? `\n\nAdvice of an expert:\n\${${name.advise}}` : ''}`,
    },
    {
      ...{ id: `${name.plan}_ok`, type: 'review', agent: coordinator, of: name.plan, ...phase(parts) },
      // The third rejection goes to the helpers.
      ...{ on_revise: `retry(${name.plan}, max=2)`, on_block: rescue(parts) },
      prompt: `Judge whether this plan does what the task asks for.\n\nThe task: \${${name.task}}\n\nThe plan: \${${name.plan}}`,
    },
    ...(has('CP-4')
      ? [
          {
            ...{
              id: name.decide,
              type: 'consensus',
              voters: voters ?? distinct([planner, executor, tester]),
              revise_by: planner,
              on_error: rescue(parts),
            },
            proposal: { title: `Shall this plan be carried out? Its risk is ${facts.risk}.`, context: `$${name.plan}` },
          },
        ]
      : []),
  ];
}

function adviceOf(parts: Parts, expert: SourceNode): Made {
  const { facts } = parts;
  const { advise, task } = namesOf(parts);
  const question = 'What is the best way to do this, and what is to be avoided?';
  const consultants = { [facts.taskType]: expert };
  return { id: advise, type: 'consult', topic: facts.taskType, question, context: `$${task}`, consultants, on_error: rescue(parts) };
}

/**
 * If the plan is carried out in increments, these are tested one by one. A plan that is voted on is carried out as the vote leaves it: the
 * planner's own version may be what was rejected. If nobody can help with undelivered parts, a person decides whether the rest is enough.
 */
function executing(parts: Parts): Made[] {
  const { has, roles, test } = parts;
  const name = namesOf(parts);
  if (has('CP-6')) {
    const gates = test && { no_regression: test };
    const plan = has('CP-4') ? `$${name.decide}.proposal.context` : `$${name.plan}.json.tasks`;
    const delivery = { id: name.impl, type: 'increments', plan, executor: roles.executor };
    return [
      { ...delivery, validator: roles.tester, gates, final: test, on_blocked: [rescue(parts), 'escalate(human)'], on_error: rescue(parts) },
    ];
  }
  const plan = has('CP-4') ? `${name.decide}.proposal` : name.plan;
  const prompt = `Carry out this plan.\n\nThe task: \${${name.task}}\n\nThe plan: \${${plan}}`;
  return [{ id: name.impl, agent: roles.executor, ...phase(parts), prompt }];
}

/** Work is tested and judged: nothing counts as done on its maker's word. Delivered and tested increments have been judged one by one. */
function validating(parts: Parts): Made[] {
  const { has, roles, test, into } = parts;
  const name = namesOf(parts);
  const isDelivered = has('CP-6');
  const landed = into && isDelivered ? [{ id: name.land, type: 'merge', from: [name.impl], into, test, ...phase(parts) }] : [];
  const again = `retry(${name.impl}, max=5)`;
  const tested = test && !isDelivered ? [testing(parts, test)] : [];
  const reviewed = {
    ...{
      id: name.review,
      type: 'review',
      agent: roles.tester,
      of: name.impl,
      ...phase(parts),
      ...(isDelivered ? { worktree: name.impl } : {}),
    },
    ...{ on_revise: again, on_stall: rescue(parts), on_unfixable: rescue(parts), on_block: rescue(parts) },
    prompt: `Judge the work by the task.\n\nThe task: \${${name.task}}\n\nThe work: \${${name.impl}}`,
  };
  return [...tested, ...(isDelivered && test ? [] : [reviewed]), ...landed];
}

/**
 * The bar of CP-1: 95 % of the tests after five repairs at most, else help, then a person. Of a command that does not say how many of its
 * tests pass, all have to: it succeeds.
 */
function testing(parts: Parts, run: SourceNode): Made {
  const name = namesOf(parts);
  const below = [`retry(${name.impl}, max=5)`, rescue(parts), 'escalate(human)'];
  const step = { id: name.test, ...phase(parts), on_error: below };
  if (!parts.tests) return { ...step, run };
  const rounds = { until: `${name.tests}.pass_rate >= 0.95`, max: 1, on_exhausted: below };
  return { ...step, repeat: { ...rounds, steps: [{ id: name.tests, run, tests: parts.tests }] } };
}

/** The step that runs only if something is blocked. */
function rescuing(parts: Parts): Made {
  const { roles, test, onBlocked } = parts;
  const { coordinator, planner, executor, tester, expert } = roles;
  const { rescue: id, plan } = namesOf(parts);
  if (onBlocked === 'escalate') {
    const [first, ...above] = distinct([executor, expert ?? planner, coordinator]);
    const levels = [{ agent: first, attempts: 2 }, ...above.map((agent) => ({ agent })), 'human'];
    // Nobody can solve the plan's own faults within it: the task is planned anew, once.
    const replan = [`retry(${plan}, max=1)`, 'escalate(human)'];
    return { id, type: 'escalate', levels, solved_when: test && { run: test }, on_root_cause: replan };
  }
  const views: [SourceNode, string][] = [
    [planner, 'architecture'],
    [tester, 'tests and environment'],
    [executor, 'implementation'],
  ];
  const named = Object.fromEntries(views.map(([agent, view]) => [nameOf(agent), view]));
  return { id, type: 'swarm', agents: named, verify: test ?? '' };
}

function rescue(parts: Parts): string {
  return `${parts.onBlocked}(${namesOf(parts).rescue})`;
}

/** A phase that is late, or fails, is blocked. */
function phase(parts: Parts): { timeout: Made; on_error: string } {
  return { timeout: parts.blockedAfter, on_error: rescue(parts) };
}

function namesOf({ id }: Parts) {
  const named = (part: string): string => `${id}_${part}`;
  return {
    ...{ task: named('task'), advise: named('advise'), plan: named('plan'), decide: named('decide') },
    ...{
      impl: named('impl'),
      test: named('test'),
      tests: named('tests'),
      review: named('review'),
      rescue: named('rescue'),
      land: named('land'),
    },
  };
}

/** An agent that has several roles is asked once. */
function distinct(agents: readonly SourceNode[]): SourceNode[] {
  return [...new Map(agents.map((agent) => [nameOf(agent), agent])).values()];
}

function nameOf(agent: SourceNode): string {
  return agent.kind === 'scalar' ? agent.text : '';
}
