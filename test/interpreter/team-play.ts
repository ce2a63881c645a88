import type { GraphUnit, TaskGraph } from '../../kinds/caid/rules/task-graph';
import type { Plan } from '../../plan/plan';
import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { CarriedWorktree } from '../../plan/run/worktree';
import type { ClaimWorktreeInput } from '../../plan/run/worktree-activities';
import type { Composition } from '../../plan/steps/container-activities';
import type { AgentStep, CaidStep, Step } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json } from '../../plan/text/json';
import { agent, approval, command } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Teams in memory: a test chooses the manager's answers, the engineers' work and the queue's decisions. */

export function unit(id: string, depends_on: string[] = [], more: Partial<GraphUnit> = {}): GraphUnit {
  return {
    id,
    title: `make ${id}`,
    description: `all of ${id}`,
    files: [`src/${id}.js`],
    depends_on,
    acceptance: { command: `test ${id}` },
    ...more,
  };
}

export function partsWith(engineer: Partial<AgentStep> = {}): CaidStep['parts'] {
  const worktree = {};
  return [
    agent('build_manager', { worktree, reads: [[]] }),
    agent('build_engineer', { worktree, reads: [['status'], ['summary']], onError: [{ kind: 'stop' }], ...engineer }),
    command('build_tests', { worktree }),
    agent('build_check', { worktree, reads: [['accepted'], ['summary']] }),
    agent('build_review', { worktree, reads: [['accepted'], ['summary']] }),
    approval('build_person', { onReject: [{ kind: 'continue' }], reads: [['approved'], ['comment']] }),
    approval('build_target', { onReject: [{ kind: 'continue' }], reads: [['approved'], ['comment']] }),
    approval('build_approve', { onReject: [{ kind: 'continue' }], reads: [['approved'], ['comment']] }),
  ];
}

export function team(more: Partial<CaidStep> = {}): Step {
  return {
    ...{
      kind: 'caid',
      id: 'build',
      prompt: 'b'.repeat(64),
      into: 'main',
      engineers: 2,
      verify: 'gate',
      isolation: 'worktree',
      restricted: ['package.json'],
    },
    limits: { rounds: 22, returns: 2 },
    parts: partsWith(),
    ...more,
  };
}

export interface Played {
  world: World;
  submitted: SubmitCandidateInput[];
  output(): Json | undefined;
  assignments(): Json[];
  /** The inputs of the engineers, in order. */
  given: StepInput[];
  claims: ClaimWorktreeInput[];
  composed(as: string): Json | undefined;
}

/** Replaces the work of a part in one turn; `otherwise` does the usual work. */
export type InTurn = (seen: Seen, otherwise: () => StepOutput | Promise<StepOutput>) => StepOutput | Promise<StepOutput>;

export interface TeamOptions extends Omit<WorldOptions, 'steps' | 'submit'> {
  graphs?: TaskGraph[];
  engineer?: (assignment: Record<string, Json>) => Partial<StepOutput> & { values?: Record<string, Json> };
  /** Decides about a candidate; `time` counts the offers with its title. `later` leaves its ticket open. */
  landed?: (input: SubmitCandidateInput, time: number) => TicketOutcome | 'later';
  /** Keyed by the path of the part, such as `build[1]/build_manager`. */
  inTurn?: Record<string, InTurn>;
  /** Delays each value that is stored under an address. */
  whileStoring?: (address: string) => Promise<void>;
  /** @default a run from its beginning */
  begin?: (plan: Plan, options: WorldOptions) => World;
  step?: Partial<CaidStep>;
  review?: Record<string, Json>;
  check?: () => Record<string, Json>;
}

export function play(
  graph: TaskGraph,
  {
    graphs = [graph],
    engineer,
    landed,
    step,
    review = { accepted: true },
    check,
    inTurn = {},
    whileStoring,
    begin = runPlan,
    ...more
  }: TeamOptions = {},
): Played {
  const submitted: SubmitCandidateInput[] = [];
  const given: StepInput[] = [];
  const claims: ClaimWorktreeInput[] = [];
  const values = new Map<string, Json>();
  let commits = 0;
  const leaves = (call: Parameters<StepBehaviour>[0], output: Partial<StepOutput>): StepOutput => {
    const { worktree } = call.input;
    commits += 1;
    const saved = worktree ? { worktree: { slot: worktree.slot, epoch: worktree.epoch, commit: `commit-${commits}` } } : {};
    return { artifact: artifact(`out-${commits}`), ...saved, ...output };
  };
  let asked = 0;
  const parts: Record<string, StepBehaviour> = {
    build_manager: (call) => leaves(call, { values: { $: { ...(graphs[asked++] ?? graph) } as never } }),
    build_engineer: (call) => {
      given.push(call.input);
      const ref = call.input.inputs?.['assignment'];
      const assignment = values.get(ref?.sha256 ?? '');
      return leaves(call, { values: { status: 'done', summary: 'ok' }, ...(isJsonObject(assignment) ? engineer?.(assignment) : {}) });
    },
    build_review: (call) => leaves(call, { values: review }),
    build_check: (call) => leaves(call, { values: check?.() ?? { accepted: true, summary: 'fine' } }),
    build_tests: (call) => leaves(call, {}),
  };
  const played = ([id, does]: [string, StepBehaviour]): [string, StepBehaviour] => [
    id,
    (seen) => inTurn[pathOf(seen)]?.(seen, () => does(seen)) ?? does(seen),
  ];
  const world = begin(planOf([team(step), command('after')]), {
    steps: Object.fromEntries(Object.entries(parts).map(played)),
    claim: ({ input }) => {
      claims.push(input);
      const { slot, carried } = input;
      const from: CarriedWorktree | Omit<CarriedWorktree, 'ref' | 'madeIn'> = carried ?? {
        repository: '/r',
        refsIn: 'repository',
        base: 'base',
        commit: 'base',
      };
      const { repository, refsIn, base, commit } = from;
      return { ...{ slot, repository, refsIn, base, commit }, epoch: 1, host: 'host-1', branch: `thermidor/${slot}`, silentMs: 1000 };
    },
    submit: ({ input }) => {
      submitted.push(input);
      const time = submitted.filter(({ title }) => title === input.title).length;
      const outcome = landed ? landed(input, time) : { kind: 'merged' as const, result: `on-${input.title}` };
      return { queue: 'queue:/r#main', ticket: submitted.length, ...(outcome === 'later' ? {} : { outcome }) };
    },
    compose: async (from: Composition, address) => {
      await whileStoring?.(address);
      const made = artifact(address);
      if (from.kind === 'value') values.set(made.sha256, from.value);
      return { artifact: made };
    },
    ...more,
  });
  return {
    world,
    submitted,
    given,
    claims,
    composed: (as) =>
      Object.entries(world.composed).flatMap(([address, from]) =>
        address.endsWith(`/${as}`) && from.kind === 'value' ? [from.value] : [],
      )[0],
    output: () => {
      const found = Object.entries(world.composed).find(([address]) => /^build#\d+~\d+\/compose$/.test(address))?.[1];
      return found?.kind === 'value' ? found.value : undefined;
    },
    assignments: () =>
      Object.entries(world.composed).flatMap(([address, from]) =>
        address.includes('/assignment-') && from.kind === 'value' ? [from.value] : [],
      ),
  };
}

const pathOf = ({ call }: Seen): string => (call.options.address ?? '').replace(/#.*$/, '');

/** The earlier work with which the worktree of a slot began. */
export const carriedTo = ({ claims }: Played, slot: string) => claims.find((claim) => claim.slot === slot)?.carried;

export const titles = ({ submitted }: Played) => submitted.map(({ title }) => title.replace(/:.*/, ''));
