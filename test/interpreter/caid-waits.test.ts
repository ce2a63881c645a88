import { defined } from '../../plan/defined';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { CaidStep, Step } from '../../plan/steps/step';
import { fails } from '../support/behaviours';
import { held } from '../support/steps';
import { settle } from './carrying';
import { type Freshly, freshly } from './program';
import { need } from './spending';
import { type InTurn, type Played, partsWith, play, type TeamOptions, titles, unit } from './team-play';

/**
 * A team that reaches every kind of wait: for a budget of its manager (twice), of an engineer, of a check and of the last review; for a
 * ticket; for a person about a task, about a candidate and about a red target; for an operator at a failed test. However the run continues
 * from there, nothing is done twice, and nothing is left over.
 */
const wrong = { units: [unit('a', ['nobody'])] };
const right = { units: [unit('a'), unit('b', ['a'])] };

const lacking: InTurn = async (seen, otherwise) => {
  const lack = need(30, seen.input);
  return lack.paused ? lack : { ...(await otherwise()), ...defined({ usage: lack.usage }) };
};

function parts(): CaidStep['parts'] {
  const limited = (part: Step): Step => (part.kind === 'agent' ? { ...part, budget: { tokens: 20 } } : part);
  return partsWith().map((part) => (part.id === 'build_tests' ? { ...part, ...held } : limited(part as Step))) as CaidStep['parts'];
}

interface Waiting extends Played {
  withdrawn: string[];
  closed: string[];
  /** The queue merges or returns the open candidates. */
  decide(): void;
}

const conflict: TicketOutcome = { kind: 'conflict', onto: 'x', paths: ['src/a.js'] };

function waiting(verify: CaidStep['verify'], { step, ...more }: Partial<TeamOptions> = {}): Waiting {
  let outcome: TicketOutcome | undefined;
  let testsFailed = false;
  const withdrawn: string[] = [];
  const closed: string[] = [];
  const played = play(right, {
    graphs: [wrong, right],
    step: { verify, testEnd: 'npm test', parts: parts(), limits: { rounds: 22, returns: 1 }, ...step },
    inTurn: {
      ...Object.fromEntries(
        [
          'build[1]/build_manager',
          'build[2]/build_manager',
          'build[1]/build_engineer',
          'build[1]/build_check',
          'build[5]/build_review',
        ].map((path) => [path, lacking]),
      ),
      'build[5]/build_tests': (_seen, otherwise) => {
        if (testsFailed) return otherwise();
        testsFailed = true;
        return fails();
      },
    },
    landed: ({ title, from }, time) => {
      if (!title.startsWith('a')) return { kind: 'merged', result: `on-${title}` };
      if (time === 1) return 'later';
      if (time === 2) return conflict;
      if (time === 3)
        return { kind: 'red', of: 'queue', onto: 'x', result: from.commit, reason: 'exit code 1', tail: 'no', isTargets: true };
      return { kind: 'merged', result: `on-${title}` };
    },
    outcome: () => (outcome ? { outcome } : {}),
    withdraw: ({ input }) => void withdrawn.push(input.name),
    close: ({ input }) => void closed.push(input.lease.slot),
    ...more,
  });
  return {
    ...played,
    withdrawn,
    closed,
    decide() {
      outcome = conflict;
      played.world.signal('thermidor:queue', { name: 'build#1~1/land-1' });
    },
  };
}

type Act = [what: string, act: (team: Waiting) => unknown];
const signal =
  (name: string, payload: object): Act[1] =>
  ({ world }) =>
    world.signal(name, payload);
const moreFor = (step: string): Act => [`a budget at ${step}`, signal('extend_budget', { step, tokens: 30 })];
const yesTo = (step: string): Act => [`a person at ${step}`, signal('approve', { step, by: 'ann' })];
const approved = (verify: CaidStep['verify'], number: number): Act[] =>
  verify === 'human' ? [yesTo(`build[${number}]/build_approve`)] : [];

/** The waits of the team, in order, each with what ends it. */
const waitsOf = (verify: CaidStep['verify']): Act[] => [
  moreFor('build[1]/build_manager'),
  moreFor('build[2]/build_manager'),
  moreFor('build[1]/build_engineer'),
  ...(verify === 'manager' ? [moreFor('build[1]/build_check')] : approved(verify, 1)),
  ['a ticket', (team) => team.decide()],
  ...approved(verify, 2),
  yesTo('build[2]/build_person'),
  ...approved(verify, 3),
  yesTo('build[1]/build_target'),
  ...approved(verify, 4),
  ['a failed test', signal('retry', { step: 'build[5]/build_tests' })],
  moreFor('build[5]/build_review'),
];

const rest = async ({ world }: Played): Promise<void> => {
  for (let i = 0; i < 3; i++) await settle(world);
};

type Between = (team: Waiting, wait: number, fresh: Freshly) => Promise<void>;

async function goOn(team: Waiting, acts: readonly Act[], fresh: Freshly, between: Between = async () => undefined): Promise<Waiting> {
  await rest(team);
  for (const [i, [, act]] of acts.entries()) {
    await between(team, i, fresh);
    await rest(team);
    await act(team);
    await rest(team);
  }
  return team;
}

function begun(verify: CaidStep['verify'], acts: readonly Act[], between?: Between, more: Partial<TeamOptions> = {}): Promise<Waiting> {
  const fresh = freshly();
  return goOn(waiting(verify, { historyIsFull: fresh.historyIsFull, ...more }), acts, fresh, between);
}

/** What was done, as the journal records it. */
const told = ({ world }: Played) =>
  world.journal().flatMap((entry) => (entry.kind === 'team' ? [[entry.event, entry.task, entry.engineer, entry.attempt]] : []));

function leavesNothing({ world, claims, closed }: Waiting): void {
  const { gates, held: open = [], steps } = world.status();
  expect({ gates, open }).toEqual({ gates: [], open: [] });
  expect(steps.filter(({ state }) => state === 'running' || state === 'waiting' || state === 'held')).toEqual([]);
  expect(steps.flatMap(({ budget }) => (budget?.tokens?.reserved ? [budget] : []))).toEqual([]);
  expect(new Set(closed)).toEqual(new Set(claims.map(({ slot }) => slot)));
}

const LANDED = ['prepare build', 'a', 'a', 'a', 'a', 'b'];

describe.each(['manager', 'human'] as const)('a team whose candidates are looked at: %s', (verify) => {
  const acts = waitsOf(verify);
  const each = acts.map(([what], i) => [what, i] as const);

  it('goes from each wait to the next', async () => {
    const team = await begun(verify, acts);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(LANDED);
    expect(new Set(team.world.order().filter((address, i, all) => all.indexOf(address) < i))).toEqual(
      // Only agents that lacked budget are asked again, with more.
      new Set(acts.flatMap(([what]) => (what.startsWith('a budget') ? [`${what.replace('a budget at ', '')}#1~1`] : []))),
    );
    leavesNothing(team);
  });

  it.each(each)('comes to the same with a fresh execution at %s', async (_what, at) => {
    const plain = await begun(verify, acts);
    const team = await begun(verify, acts, async ({ world }, i, fresh) => (i === at ? fresh.again(world) : undefined));
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(team.world.executions).toBe(2);
    expect(team.world.order()).toEqual(plain.world.order());
    expect(told(team)).toEqual(told(plain));
    expect(titles(team)).toEqual(LANDED);
    leavesNothing(team);
  });

  it('comes to the same with a fresh execution at each, and after every few activities', async () => {
    const plain = await begun(verify, acts);
    const ways = [
      await begun(verify, acts, ({ world }, _i, fresh) => fresh.again(world)),
      await begun(verify, acts, undefined, { activitiesPerExecution: 4 }),
    ];
    for (const team of ways) {
      await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
      expect(team.world.executions).toBeGreaterThan(4);
      expect(team.world.order()).toEqual(plain.world.order());
      expect(told(team)).toEqual(told(plain));
      expect(team.world.status().steps).toEqual(plain.world.status().steps);
      leavesNothing(team);
    }
  });

  it.each(each)('is paused at %s, and goes on from there', async (_what, at) => {
    const fresh = freshly();
    const team = await goOn(waiting(verify, { historyIsFull: fresh.historyIsFull }), acts.slice(0, at), fresh);
    team.world.signal('pause', { by: 'ops' });
    await fresh.again(team.world);
    await rest(team);
    const before = team.world.order().length;
    // An answer is accepted in the meantime, and nothing begins.
    await acts[at]?.[1](team);
    await rest(team);
    expect(team.world.order()).toHaveLength(before);
    team.world.signal('unpause', { by: 'ops' });
    await goOn(team, acts.slice(at + 1), fresh);
    await expect(team.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(titles(team)).toEqual(LANDED);
    leavesNothing(team);
  });

  it.each(each)('leaves nothing open if it is cancelled at %s', async (_what, at) => {
    const team = await begun(verify, acts.slice(0, at));
    const before = team.world.order().length;
    team.world.cancel();
    await rest(team);
    await expect(team.world.result).rejects.toThrow();
    expect(team.world.order()).toHaveLength(before);
    expect(team.withdrawn).toEqual(acts[at]?.[0] === 'a ticket' ? ['build#1~1/land-1'] : []);
    leavesNothing(team);
  });

  it.each(each)('leaves nothing open if its `timeout` is up at %s', async (_what, at) => {
    const team = await begun(verify, acts.slice(0, at), undefined, { step: { timeoutMs: 60_000 } });
    const before = team.world.order().length;
    await team.world.elapse();
    await rest(team);
    await expect(team.world.result).rejects.toMatchObject({ code: 'step.timeout' });
    expect(team.world.order()).toHaveLength(before);
    expect(team.withdrawn).toEqual(acts[at]?.[0] === 'a ticket' ? ['build#1~1/land-1'] : []);
    leavesNothing(team);
  });
});
