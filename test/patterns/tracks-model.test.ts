import { TRACK_SIDES, type TrackSide } from '../../kinds/tracks/rules/alignment';
import type { TracksStep } from '../../plan/steps/step';
import { type Dice, dice } from '../support/simulation/dice';
import { agent, command } from '../support/steps';
import { type Does, MINUTE, type Played, play, type Script } from './tracks-play';

/**
 * Compares random tracks, points, verdicts and durations with a model without time: the parts that run, their turns, and what is delivered.
 */

type Word = 'a' | 'b' | 'both';

interface Case {
  phases: Record<TrackSide, string[]>;
  /** The tracks that adjust, check by check. If there are `rounds` of them, the tracks are never aligned at this point. */
  points: { id: string; after: Record<TrackSide, number>; rounds: number; misaligned: Word[] }[];
}

const ROUNDS = 2;

function randomCase(chance: Dice): Case {
  const phases = { a: ids('a', chance), b: ids('b', chance) };
  const points: Case['points'] = [];
  for (let [a, b] = [-1, -1]; ; ) {
    a += chance.whole(1, 2);
    b += chance.whole(1, 2);
    if (a >= phases.a.length || b >= phases.b.length) break;
    const misaligned = Array.from({ length: chance.pick([0, 0, 1, ROUNDS]) }, (): Word => chance.pick(['a', 'b', 'both']));
    points.push({ id: `s${points.length}`, after: { a, b }, rounds: ROUNDS, misaligned });
  }
  if (points.length === 0) points.push({ id: 's0', after: { a: 0, b: 0 }, rounds: ROUNDS, misaligned: [] });
  return { phases, points };
}

function ids(side: TrackSide, chance: Dice): string[] {
  return Array.from({ length: chance.whole(1, 4) }, (_, i) => `${side}${i}`);
}

/** The parts and their turns, without those that begin provisionally. */
function model({ phases, points }: Case): { made: string[]; status: 'aligned' | 'linear'; attempts: number[] } {
  const made: string[] = [];
  const attempts = points.map(() => 0);
  const turn: Record<string, number> = {};
  const make = (phase: string, n: number): void => {
    made.push(`${n} ${phase}`);
    turn[phase] = n;
  };
  const firstOf: Record<TrackSide, number> = { a: 1, b: 1 };
  const next: Record<TrackSide, number> = { a: 0, b: 0 };
  const upTo = (side: TrackSide, end: number): void => {
    for (; next[side] < end; next[side] += 1) {
      make(phases[side][next[side]] ?? '', firstOf[side]);
      firstOf[side] = 1;
    }
  };
  for (const [k, { id, after, rounds, misaligned }] of points.entries()) {
    const first: Partial<Record<TrackSide, number>> = {};
    for (const side of TRACK_SIDES) {
      upTo(side, after[side] + 1);
      first[side] = turn[phases[side][after[side]] ?? ''] ?? 1;
    }
    for (let check = 1; check <= rounds; check += 1) {
      attempts[k] = check;
      made.push(`${check} ${id}`);
      const who = misaligned[check - 1];
      if (who === undefined) break;
      if (check === rounds) return { made: [...made, ...following(k, turn)], status: 'linear', attempts };
      for (const side of TRACK_SIDES) if (who === side || who === 'both') make(phases[side][after[side]] ?? '', (first[side] ?? 0) + check);
    }
    for (const side of TRACK_SIDES) firstOf[side] = attempts[k] ?? 1;
  }
  for (const side of TRACK_SIDES) upTo(side, phases[side].length);
  return { made, status: 'aligned', attempts };

  function following(k: number, turns: Record<string, number>): string[] {
    return TRACK_SIDES.flatMap((side) => {
      const met = points[k]?.after[side] ?? 0;
      const again = side === 'b' ? [`${(turns[phases.b[met] ?? ''] ?? 0) + 1} ${phases.b[met]}`] : [];
      return [...again, ...phases[side].slice(met + 1).map((phase, i) => `${i === 0 ? ROUNDS + 1 : 1} ${phase}`)];
    });
  }
}

/** Parts that may have begun ahead of a point. Their work counts only if the point was aligned at once. */
function maybeAhead({ phases, points }: Case): Set<string> {
  return new Set(points.flatMap(({ after }) => TRACK_SIDES.map((side) => `1 ${phases[side][after[side] + 1]}`)));
}

function stepOf({ phases, points }: Case, ahead: TracksStep['ahead']): Partial<TracksStep> {
  const names = [...phases.a, ...phases.b, ...points.map(({ id }) => id)];
  return {
    ...{ a: { agent: 'designer', phases: phases.a }, b: { agent: 'coder', phases: phases.b }, ahead },
    sync: points.map(({ id, after: { a, b }, rounds }) => ({
      ...{ id, after: { a: phases.a[a] ?? '', b: phases.b[b] ?? '' }, by: 'lead', rounds, waitMs: 5 * MINUTE },
    })),
    parts: [...names.map((name) => agent(`dual_${name}`, { agent: 'lead' })), command('dual_integration')],
  };
}

function scriptOf({ phases, points }: Case, chance: Dice): Script {
  const takes = (): number => chance.whole(0, 12) * MINUTE;
  const phase = (): Does[] => Array.from({ length: 4 }, () => ({ after: takes() }));
  return {
    ...Object.fromEntries([...phases.a, ...phases.b].map((id) => [id, phase()])),
    ...Object.fromEntries(
      points.map(({ id, misaligned }) => [id, [...misaligned.map((says) => ({ after: takes(), says })), { after: takes() }]]),
    ),
  };
}

/** Each phase delivers what it made last. */
function lastMade(played: Played, phases: readonly string[]): Record<string, string> {
  const times = (id: string): number => played.started().filter((part) => part.endsWith(` ${id}`)).length;
  return Object.fromEntries(phases.map((id) => [id, `${id}, ${times(id)}`]));
}

it.each(['none', 'one_phase'] as const)(
  'CP-9 · workflow · random tracks make the phases and checks that a naive model makes, and deliver the last version of each: ahead %s',
  async (ahead) => {
    let wentAhead = 0;
    for (let seed = 0; seed < 60; seed += 1) {
      const chance = dice('tracks', ahead, seed);
      const found = randomCase(chance);
      const played = play(scriptOf(found, chance), { step: stepOf(found, ahead) });
      await played.world.completes();
      const { made, status, attempts } = model(found);
      const began = played.started().filter((part) => part !== '1 integration' && part !== 'after');
      expect(new Set(began).size).toBe(began.length);
      const spare = maybeAhead(found);
      const inVain = began.filter((part) => !made.includes(part));
      expect(inVain.filter((part) => ahead === 'none' || !spare.has(part))).toEqual([]);
      expect(made.filter((part) => !began.includes(part))).toEqual([]);
      wentAhead += inVain.length;
      expect(played.output()).toMatchObject({
        ...{ status, a: lastMade(played, found.phases.a), b: lastMade(played, found.phases.b) },
        sync: found.points.map(({ id }, k) => ({ id, attempts: attempts[k] })),
      });
      expect(played.checkpoints()).toHaveLength(attempts.reduce((sum, one) => sum + one, 0));
    }
    expect(wentAhead > 0).toBe(ahead === 'one_phase');
  },
);
