import { given, partBase, partOutput, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { StepContext } from '../../compiler/lower/step-context';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import { ENGINEER_TURNS } from '../../plan/plan';
import type { CaidStep } from '../../plan/steps/step';
import type { StepBase, WorktreeSpec } from '../../plan/steps/step-base';
import type { CaidPart } from './model';
import { checkPrompt, ENGINEER_PROMPT, FINAL_REVIEW_SCHEMA, managerPrompt, REVIEW_PROMPT, SHARED_ENGINEER_PROMPT } from './prompts';
import { ENGINEER_REPORT_SCHEMA } from './rules/assignment';
import { TASK_GRAPH_SCHEMA } from './rules/task-graph';
import type { Isolation, TaskType, VerifyPolicy } from './rules/team';

export interface Team {
  manager: string;
  engineer: string;
  goal: Template;
  setup: Template[];
  into: string;
  base?: string;
  remote?: string;
  repo?: Template;
  copy?: string[];
  testEnd?: string;
  verify: VerifyPolicy;
  isolation: Isolation;
  taskType?: TaskType;
}

type Here = StepContext & { reads: Pick<StepBase, 'inputs' | 'records'> };
type Part = CaidStep['parts'][number];
type OwnWorktree = Exclude<WorktreeSpec, { of: string }>;

/**
 * The parts that the step runs in turns. Every one has a worktree of its own, cut from the target's commit as the run knows it; engineers
 * may share one.
 */
export function partsOf(team: Team, here: Here): Part[] {
  const { reads } = here;
  const isShared = team.isolation === 'shared';
  const common = (part: CaidPart): StepBase => partBase(here, part);
  const prompt = (part: CaidPart, template: Template) => partPrompt(here, part, template);
  const manager: Part = {
    ...{ ...common('manager'), ...reads, kind: 'agent', agent: team.manager },
    prompt: prompt('manager', managerPrompt(team.goal, team.taskType ?? 'general')),
    output: partOutput(here, 'Task_Graph', TASK_GRAPH_SCHEMA),
    reads: [[]],
    worktree: worktree(team, [team.base ?? team.into]),
  };
  const engineer: Part = {
    ...{ ...common('engineer'), kind: 'agent', agent: team.engineer, turns: ENGINEER_TURNS },
    prompt: prompt('engineer', isShared ? SHARED_ENGINEER_PROMPT : ENGINEER_PROMPT),
    output: partOutput(here, 'Engineer_Report', ENGINEER_REPORT_SCHEMA),
    reads: [['task_id'], ['status'], ['summary'], ['tests', 'passed'], ['tests', 'failed'], ['tests', 'command']],
    worktree: { ...worktree(team, [given('assignment', 'base_commit')]), ...defined({ shared: isShared || undefined }) },
  };
  const review: Part = {
    ...{ ...common('review'), kind: 'agent', agent: team.manager },
    prompt: prompt('review', REVIEW_PROMPT),
    output: partOutput(here, 'Final_Review', FINAL_REVIEW_SCHEMA),
    reads: [['accepted'], ['summary']],
    worktree: worktree(team, [given('team', 'head')]),
  };
  const check: Part = {
    ...{ ...common('check'), kind: 'agent', agent: team.manager },
    prompt: prompt('check', checkPrompt(isShared)),
    output: partOutput(here, 'Check', FINAL_REVIEW_SCHEMA),
    reads: [['accepted'], ['summary']],
    worktree: worktree(team, [given('assignment', 'base_commit')]),
  };
  const checks = team.verify === 'manager' ? [check] : [];
  return [manager, engineer, ...checks, ...tests(team, common('tests')), review, ...people(team, common)];
}

function tests(team: Team, common: StepBase): Part[] {
  if (team.testEnd === undefined) return [];
  return [{ ...common, kind: 'command', command: { shell: [team.testEnd] }, worktree: worktree(team, [given('team', 'head')]) }];
}

/** A person who says no to a task drops it; the others go on. */
function people({ verify }: Team, common: (part: CaidPart) => StepBase): Part[] {
  const asks: CaidPart[] = verify === 'human' ? ['person', 'approve', 'target'] : ['person', 'target'];
  return asks.map((part) => ({
    ...common(part),
    kind: 'approval',
    prompt: [QUESTIONS[part] ?? '', given('question')],
    onReject: [{ kind: 'continue' }],
    reads: [['approved'], ['comment']],
  }));
}

const QUESTIONS: Partial<Record<CaidPart, string>> = {
  person: 'This task came back too often. Approve to let its engineer try again, reject to leave it out.\n\n',
  target:
    'The branch itself is red: no candidate can be merged, and none is to blame. Fix the branch and approve to try again, or reject to end the step.\n\n',
  approve: 'Approve this candidate for the tests of the merged tree, or reject it with a comment for its engineer.\n\n',
};

function worktree({ repo, remote, copy, setup }: Team, base: Template): OwnWorktree {
  return defined({ repo, remote, base, copy, setup: setup.length > 0 ? setup : undefined });
}
