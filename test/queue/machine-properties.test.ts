import { type ModelCandidate, QueueModel } from './model';

/**
 * Adversarial orders of events: candidates of every sort come at any moment, work ends in any order, people move the branch, drop and
 * pause, and executions continue as new.
 */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const COUNT = 24;

function candidates(pick: (below: number) => number): ModelCandidate[] {
  return Array.from({ length: COUNT }, (_, i): ModelCandidate => {
    const name = `c${i}`;
    const other = `c${pick(COUNT)}`;
    const priority = ([1, 2, 3, 4, 5] as const)[pick(5)]!;
    const sort = pick(10);
    if (sort === 0) return { name, priority, red: true };
    if (sort === 1) return { name, priority, restricted: true };
    if (sort === 2 && other !== name) return { name, priority, conflicts: [other] };
    if (sort === 3 && other !== name) return { name, priority, breaks: [other] };
    return { name, priority };
  });
}

function play(seed: number): { model: QueueModel; dropped: Set<string> } {
  const pick = chance(seed);
  const model = new QueueModel({ batch: 1 + pick(5), speculate: 1 + pick(4) });
  const coming = candidates(pick);
  const dropped = new Set<string>();
  for (let i = 0; coming.length > 0 || model.pending.length > 0; i++) {
    const what = pick(40);
    const next = what < 8 ? coming.shift() : undefined;
    if (next) model.ask(next);
    else if (what === 9 && i < 400) model.person(`p${i}`);
    else if (what === 10) model.event({ kind: 'paused', atMs: 1 });
    else if (what === 11) model.continueAsNew();
    else if (what === 12 && pick(4) === 0) {
      const ticket = model.state.tickets[pick(model.state.tickets.length || 1)];
      if (ticket) {
        dropped.add(ticket.asked.name);
        model.event({ kind: 'dropped', ticket: ticket.number });
      }
    } else if (model.pending.length > 0) model.settle(pick(model.pending.length));
    if (pick(3) === 0) model.event({ kind: 'resumed', atMs: 1 });
  }
  model.event({ kind: 'resumed', atMs: 1 });
  model.settleAll();
  return { model, dropped };
}

test.each(Array.from({ length: 100 }, (_, seed) => seed))(
  'order %i: green at every advance, and every candidate lands or comes back for what it did',
  (seed) => {
    const { model, dropped } = play(seed);
    expect(model.history.filter((commit) => !model.isGreen(commit))).toEqual([]);
    const landed = model.target.split(',');
    expect(new Set(landed).size).toBe(landed.length);
    expect(model.state).toMatchObject({ tickets: [], line: [], ending: [], apart: [] });
    expect([model.state.suspects, model.kept.size]).toEqual([undefined, 0]);
    for (const [name, { red, restricted, conflicts = [], breaks = [] }] of model.candidates) {
      if (!name.startsWith('c')) continue;
      const outcomes = model.outcomes.get(name) ?? [];
      expect([name, outcomes.length]).toEqual([name, 1]);
      const [outcome] = outcomes;
      expect([name, landed.includes(name)]).toEqual([name, outcome?.kind === 'merged']);
      const why = [
        dropped.has(name) && 'dropped',
        red && 'red',
        restricted && 'restricted',
        conflicts.some((other) => landed.includes(other)) && 'conflict',
        // A candidate that breaks another is red whichever of the two comes second.
        isBroken(model, name, breaks, landed) && 'red',
        'merged',
      ].filter(Boolean);
      expect([name, why]).toEqual([name, expect.arrayContaining([outcome?.kind])]);
      if (why.length === 1) expect(outcome?.kind).toBe('merged');
    }
  },
);

function isBroken(model: QueueModel, name: string, breaks: readonly string[], landed: readonly string[]): boolean {
  const broken = [...model.candidates.values()].filter((other) => other.breaks?.includes(name)).map((other) => other.name);
  return [...breaks, ...broken].some((other) => landed.includes(other));
}
