import { loopStateOf } from './kind-state';
import type { InterpreterState } from './state';

/**
 * The names of the items of the iterations that a step is in, outermost first, and of the member of a board who works there; undefined if
 * none has a name.
 * @param at a path, or an address in any form
 */
export function itemNameAt({ state }: { state: Pick<InterpreterState, 'records'> }, at: string): string | undefined {
  if (!at.includes('[')) return undefined;
  const path = at.replace(/[#~]\d+/g, '');
  const names: string[] = [];
  for (const { 0: turn, index = 0, 1: number = '' } of path.matchAll(/\[(\d+)\](\/[^/[]+)?/g)) {
    const loop = loopStateOf(state.records[path.slice(0, index)]);
    const member = state.records[path.slice(0, index + turn.length)]?.brief?.member?.name;
    const name = loop?.names?.[number] ?? loop?.stream?.items[number]?.name ?? member;
    if (name !== undefined) names.push(name);
  }
  return joinedNames(names);
}

/** The names of loops within each other, from the outside in. */
export function joinedNames(names: readonly (string | undefined)[]): string | undefined {
  const known = names.filter((name) => name !== undefined);
  return known.length > 0 ? known.join(' / ') : undefined;
}
