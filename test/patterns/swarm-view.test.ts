import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { stepFacts } from '../../cli/rendering/tree-facts';
import { reasonsOf } from '../../client/wait-reasons';
import { awaitedOfSwarm, describeSwarm, type SwarmView } from '../../kinds/swarm/view';
import { fakeTerminal } from '../cli/fake-terminal';
import { settled } from './played';
import { play } from './swarm-play';

const { colors } = fakeTerminal();

const view = (more: Partial<SwarmView> = {}): SwarmView => ({
  ...{ issue: 'It is red.', round: 1, rounds: 2, doing: 'diagnose' },
  agents: [
    { name: 'p', perspective: 'architecture', confidence: 0.4 },
    { name: 'e', perspective: 'implementation' },
    { name: 't', perspective: 'environment', skipped: 'it did not answer' },
  ],
  ...more,
});
const best = { by: 'e', with: ['t'], confidence: 0.9, rootCause: 'x', fix: 'y' };

describe('how a swarm is shown', () => {
  it.each<[Partial<SwarmView>, string, string[]]>([
    [{}, 'round 1 of 2: 1 of 3 diagnoses, e (implementation) at work', ['e']],
    [{ doing: 'fix', best, fixer: 'e', round: 2 }, 'round 2 of 2: e applies what e and t diagnosed', ['e']],
    [{ doing: 'wait', behind: 'other' }, 'waits for the swarm other to end', []],
    [{ outcome: 'solved', best, fixer: 'p' }, 'solved in round 1 by p, as e diagnosed', []],
    [{ outcome: 'unsolved', round: 2 }, 'unsolved after round 2', []],
  ])('says who diagnoses what, and who is waited for: %j', (more, words, awaited) => {
    expect(describeSwarm(view(more))).toBe(words);
    expect(awaitedOfSwarm(view(more))).toEqual(awaited);
  });

  it('`status`, `watch` and `why` say it, and that the others are paused', async () => {
    const played = play({ says: { e: 'silence' } });
    await settled(played);
    const status = played.world.status();
    const facts = stepFacts(played.world.step('mob'), { colors, columns: 200, now: played.world.clock.now() }, undefined);
    const words = 'round 1 of 2: 2 of 3 diagnoses, e (implementation) at work';
    expect(facts).toContain(words);
    const shown = changesBetween(undefined, status).filter(({ kind }) => kind === 'pattern');
    expect(shown.map((change) => renderChange(change, colors))).toEqual([expect.stringContaining(words)]);
    expect(reasonsOf(status, [])).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'waits', step: 'mob', text: 'the swarm to end: no other step starts until then' }),
      ]),
    );
    expect(played.world.step('mob').waitingFor).toBe('the diagnosis of e');
  });
});
