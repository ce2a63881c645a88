import { voteGate } from '../../cli/commands/vote';
import type { GateView } from '../../plan/people/gate';

const gate = (step: string, more: Partial<GateView> = {}): GateView => ({
  ...{ step, kind: 'approval', question: 'q', choices: ['approve', 'reject', 'abstain'], openedAt: '2026-11-21T07:30:00.000Z' },
  ...{ shown: [], shownSha256: 'f'.repeat(64), ballot: { proposalId: 'decide-1', options: [] } },
  ...more,
});
const cfo = gate('decide[1]/decide_cfo', { approvers: ['cfo'] });
const ceo = gate('decide[1]/decide_ceo', { approvers: ['ceo'], delegates: { ceo: ['coo'] } });
const inner = gate('release/choose[2]/choose_cfo', { approvers: ['cfo'] });
const other: GateView = { ...gate('ship'), approvers: ['cfo'] };
delete other.ballot;

describe('the vote that is meant', () => {
  const all = [cfo, ceo, other];
  it.each<[string, GateView[], string | undefined, string | undefined, GateView | undefined]>([
    ['by the step, and who votes', all, 'decide', 'cfo', cfo],
    ['by the step, and in whose place', all, 'decide', 'coo', ceo],
    ['by its address', all, 'decide[1]/decide_ceo', 'cfo', ceo],
    ['by its part', all, 'decide_ceo', undefined, ceo],
    ['where it is the only one', [cfo, other], undefined, undefined, cfo],
    ['in a child pipeline', [...all, inner], 'choose', 'cfo', inner],
    ['in a child pipeline, with the way to it', [...all, inner], 'release/choose', 'cfo', inner],
    ['not at a gate where nobody votes', all, 'ship', 'cfo', undefined],
    ['of somebody without one, for the run to refuse', [cfo], 'decide', 'eve', cfo],
  ])('is found %s', (_, gates, step, by, found) => {
    expect(voteGate(gates, step, by)).toBe(found);
  });

  it('is named if there are several', () => {
    expect(() => voteGate(all, 'decide', 'eve')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => voteGate([cfo, inner], undefined, 'cfo')).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
