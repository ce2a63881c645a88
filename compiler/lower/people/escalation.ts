import { describeTarget, type EscalationTarget } from '../../../plan/steps/action';
import type { Located, Report } from '../../diagnostics/diagnostic';
import type { LoadedAgent } from '../../names/agent-definition';

/**
 * The levels that a block escalates to, in order: as the file says, or up the `reports_to` of the owner. A written chain that ends in an
 * agent continues up from there. Invariants: 1. the last is always a human; 2. nobody is asked twice; 3. an agent that the file does not
 * name only advises.
 */
export function lowerChain(
  written: readonly Located<EscalationTarget>[] | undefined,
  owner: string | undefined,
  agents: ReadonlyMap<string, LoadedAgent>,
  last: EscalationTarget,
  report: Report,
): EscalationTarget[] {
  if (written) checkChain(written, report);
  const chain = written?.map(({ value }) => value) ?? [];
  const top = written?.[written.length - 1];
  if (top && top.value.kind === 'human') return chain;
  const start = top ? (top.value.kind === 'agent' ? top.value.id : undefined) : owner;
  const { above, circle } = superiorsOf(start, agents);
  if (top && circle)
    report(
      'escalation.no-end',
      top.at,
      `above "${start}" agents report to each other, so the chain has no end`,
      'end the chain with human',
    );
  const asked = new Set(chain.map((target) => (target.kind === 'agent' ? target.id : undefined)));
  for (const id of above) if (!asked.has(id)) chain.push({ kind: 'agent', id, decides: 'human' });
  return [...chain, last];
}

function superiorsOf(of: string | undefined, agents: ReadonlyMap<string, LoadedAgent>): { above: string[]; circle: boolean } {
  const above: string[] = [];
  const seen = new Set(of === undefined ? [] : [of]);
  let next = of === undefined ? undefined : agents.get(of)?.reportsTo?.value;
  while (next !== undefined && agents.has(next)) {
    if (seen.has(next)) return { above, circle: true };
    seen.add(next);
    above.push(next);
    next = agents.get(next)?.reportsTo?.value;
  }
  return { above, circle: false };
}

function checkChain(written: readonly Located<EscalationTarget>[], report: Report): void {
  const seen = new Set<string>();
  let ended = false;
  for (const { value, at } of written) {
    const name = describeTarget(value);
    if (ended) {
      report('escalation.after-human', at, `"${name}" comes after "human", which is always the last`, 'put "human" at the end');
      return;
    }
    if (seen.has(name)) report('escalation.twice', at, `"${name}" is in the chain already`, 'keep one of the two');
    seen.add(name);
    ended = name === 'human';
  }
}
