import { bug } from '../../../plan/run/failure';
import { type EntryOf, partsIn } from './attempt-log';
import type { OpenScope } from './open-scope';
import { forgetParts } from './parts';
import type { StepContext } from './step-context';

/** The most turns in one execution. Only turns that wait for nothing come so far: the history of others is full long before. */
const MOST_TURNS = 100_000;

export function runLoop<S, R>(
  within: OpenScope,
  key: string,
  first: S,
  turn: (ctx: StepContext, state: S, turn: number) => Promise<{ next: S } | { done: R }>,
): Promise<R> {
  const { enter, known, marked } = within;
  const entry = enter<'loop'>({ kind: 'loop', key, turn: 1, state: first, scope: [] });
  return (
    known<R>(entry) ??
    marked(entry, takeTurns<S, R>(within, entry, turn), (value) => {
      entry.end = { value };
      entry.parts = partsIn(entry.scope);
      entry.scope = [];
    })
  );
}

async function takeTurns<S, R>(
  { it, place, open }: OpenScope,
  entry: EntryOf<'loop'>,
  turn: (ctx: StepContext, state: S, turn: number) => Promise<{ next: S } | { done: R }>,
): Promise<R> {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const ctx = open(place, entry.scope);
    const outcome = await turn(ctx, entry.state as S, entry.turn);
    ctx.close();
    if ('done' in outcome) return outcome.done;
    forgetParts(it, place, entry.scope);
    entry.turn += 1;
    entry.state = outcome.next;
    entry.scope = [];
  }
  throw bug(`${it.run.name(place.path)} has taken ${MOST_TURNS} turns of "${entry.key}" in one execution and is not done`);
}
