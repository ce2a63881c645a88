import type { Proof, Sealed } from '../../plan/people/proof';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalView } from '../../plan/run/journal';
import { approval, command, input, pipeline, wait } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

const DIGEST = 'f'.repeat(64);
let seals = 0;
/** Every seal is different, because none proves anything twice. */
const sealedAt = (at: string): Proof => ({ channel: 'discord', at, mac: (seals++).toString(16).padStart(64, 'a') });
const START = '2026-01-05T07:30:00.000Z';
const proof: Proof = { channel: 'discord', at: '2026-01-05T07:30:00.000Z', mac: 'ab'.repeat(32) };
const outcomes = (world: World) => world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []));
const decisionOf = (world: World) => world.journal().find((entry) => entry.kind === 'decision');

/** A world in which a seal is valid if it binds what the test expects. */
function sealedWorld(plan: Parameters<typeof runPlan>[0], holds: (sealed: Sealed) => boolean, more: WorldOptions = {}) {
  const checked: Sealed[] = [];
  const world = runPlan(plan, {
    checkProof: ({ sealed }) => {
      checked.push(sealed);
      return holds(sealed) ? {} : { problem: 'the seal does not hold' };
    },
    ...more,
  });
  return { world, checked };
}

describe('a proof', () => {
  it('makes an identity proven, binds run, gate, person, words and what was shown, and is checked once', async () => {
    const { world, checked } = sealedWorld(planOf([approval('ask', { identity: 'proven' })]), () => true);
    await world.settle();
    expect(world.status().gates).toMatchObject([{ identity: 'proven' }]);
    await world.update('approve', { by: 'ann', comment: 'go', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(checked).toEqual([{ run: 'test-run', name: 'approve', step: 'ask', by: 'ann', shown: DIGEST, comment: 'go' }]);
    expect(decisionOf(world)).toMatchObject({ decision: { by: 'ann', identity: 'proven', channel: 'discord' } });
  });

  it('of no shape that a seal could have is refused before it is checked', async () => {
    const { world, checked } = sealedWorld(planOf([approval('ask')]), () => true);
    await world.settle();
    for (const part of [{ mac: 'a'.repeat(201) }, { at: `${START}${' '.repeat(200)}` }]) {
      await expect(world.update('approve', { by: 'ann', proof: { ...proof, ...part } })).rejects.toMatchObject({ outcome: 'refused' });
    }
    expect(checked).toEqual([]);
  });

  it('is demanded by a gate whose policy says so, of approvals, answers and delegations', async () => {
    for (const step of [
      approval('ask', { identity: 'proven', approvers: ['ann'] }),
      input('ask', { identity: 'proven', approvers: ['ann'] }),
    ]) {
      const world = runPlan(planOf([step]));
      await world.settle();
      for (const [name, payload] of [
        ['approve', {}],
        ['respond', { response: 'reject' }],
        ['delegate', { to: 'cay' }],
      ] as const) {
        await expect(world.update(name, { by: 'ann', ...payload })).rejects.toMatchObject({ outcome: 'refused' });
      }
    }
  });

  it('that does not hold is refused, even if none is demanded, and the journal keeps no seal', async () => {
    const { world } = sealedWorld(planOf([approval('ask')]), () => false);
    await world.settle();
    await expect(world.update('approve', { by: 'ann', proof })).rejects.toMatchObject({ outcome: 'refused' });
    world.signal('approve', { by: 'ann', proof });
    await world.settle();
    expect(outcomes(world)).toEqual(['approve refused']);
    expect(JSON.stringify(world.journal())).not.toContain(proof.mac);
    expect(world.status().gates).toHaveLength(1);
  });

  it('is refused if nobody looks at it: an order needs none', async () => {
    const { world, checked } = sealedWorld(planOf([approval('ask')]), () => false);
    await world.settle();
    for (const name of ['extend_budget', 'pause', 'abort', 'message'] as const) {
      await expect(world.update(name, { by: 'ann', tokens: 5, to: 'boss', content: 'x', step: 'ask', proof })).rejects.toMatchObject({
        outcome: 'unreadable',
      });
    }
    expect(checked).toEqual([]);
    expect(world.status().state).toBe('waiting');
  });

  it('needs the name that it proves', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    await expect(world.update('approve', { proof })).rejects.toMatchObject({ outcome: 'unreadable' });
    await expect(world.update('approve', { by: 'ann', proof: { channel: 'fax' } })).rejects.toMatchObject({ outcome: 'unreadable' });
  });

  it('that nobody can check refuses the answer and harms the run in nothing', async () => {
    const world = runPlan(planOf([approval('ask')]), {
      checkProof: () => {
        throw new ThermidorFailure('secret.missing', 'no key');
      },
    });
    await world.settle();
    world.signal('approve', { by: 'ann', proof });
    await world.settle();
    expect(outcomes(world)).toEqual(['approve unavailable']);
    world.signal('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(decisionOf(world)).toMatchObject({ decision: { identity: 'claimed' } });
  });

  it('of an answer is checked before the answer, and both must hold', async () => {
    const { world, checked } = sealedWorld(planOf([input('ask')]), ({ by }) => by === 'ann', {
      problems: (response) => (response === 1 ? ['must be text'] : []),
    });
    await world.settle();
    await expect(world.update('respond', { by: 'eve', response: 'x', proof })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('respond', { by: 'ann', response: 1, proof })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('respond', { by: 'ann', response: 'x', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(checked.map(({ by, response }) => [by, response])).toEqual([
      ['eve', 'x'],
      ['ann', 1],
      ['ann', 'x'],
    ]);
    expect(decisionOf(world)).toMatchObject({ decision: { identity: 'proven' } });
  });
});

describe('while a proof is checked', () => {
  it('a decision that comes first holds, and the other is late', async () => {
    const world = runPlan(planOf([approval('ask'), approval('then')]));
    await world.settle();
    world.signal('approve', { step: 'ask', by: 'ann', proof });
    world.signal('reject', { step: 'ask', by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(outcomes(world)).toEqual(['reject applied', 'approve late']);
  });

  it('the same seal proves nothing twice', async () => {
    const world = runPlan(planOf([approval('ask', { quorum: 3 })]));
    await world.settle();
    world.signal('approve', { by: 'ann', proof });
    world.signal('approve', { by: 'ann', proof });
    await world.settle();
    await expect(world.update('approve', { by: 'bob', proof })).rejects.toMatchObject({ outcome: 'duplicate' });
    expect(outcomes(world)).toEqual(['approve applied', 'approve duplicate']);
  });

  it('a seal made before the gate opened proves nothing: what it was for may have shown the same', async () => {
    const world = runPlan(planOf([wait('long', { forMs: 3_600_000 }), approval('ask')]));
    await world.elapse();
    await expect(world.update('approve', { by: 'ann', proof: sealedAt(START) })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('approve', { by: 'ann', proof: sealedAt('soon') })).rejects.toMatchObject({ outcome: 'unreadable' });
    await world.update('approve', { by: 'ann', proof: sealedAt('2026-01-05T08:30:00.000Z') });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('the same person’s second voice counts once', async () => {
    const world = runPlan(planOf([approval('ask', { quorum: 2 })]));
    await world.settle();
    const voices = ['ann', 'ann', 'ann'].map((by) =>
      world.update('approve', { by, proof: sealedAt(START) }).catch((error: { outcome: string }) => error),
    );
    await expect(Promise.all(voices)).resolves.toMatchObject([{ outcome: 'applied' }, { outcome: 'duplicate' }, { outcome: 'duplicate' }]);
    expect(world.status().gates).toMatchObject([{ approvedBy: ['ann'] }]);
  });
});

describe('a proof for a gate of a child', () => {
  const release = planOf([approval('ask', { identity: 'proven' })], { name: 'release' });
  const middle = planOf([pipeline('inner', 'release')], { name: 'middle' });
  const children = { release, middle };

  it('names the run and the gate as its sender saw them, and parent and child check it', async () => {
    const { world, checked } = sealedWorld(planOf([pipeline('deploy', 'release')]), () => true, { children });
    await world.settle();
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('approve', { by: 'ann', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(checked).toHaveLength(2);
    for (const sealed of checked)
      expect(sealed).toEqual({ run: 'test-run', name: 'approve', step: 'deploy/ask', by: 'ann', shown: DIGEST });
    expect(world.journal().find((entry) => entry.kind === 'decision')).toMatchObject({ decision: { identity: 'proven' } });
  });

  it('goes down two levels', async () => {
    const { world, checked } = sealedWorld(planOf([pipeline('outer', 'middle')]), () => true, { children });
    await world.settle();
    await world.settle();
    await world.update('approve', { by: 'ann', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(checked.map(({ run, step }) => [run, step])).toEqual(Array(3).fill(['test-run', 'outer/inner/ask']));
  });

  it.each([
    ['the parent', 'test-run'],
    ['the child', 'test-run.deploy'],
  ])('counts for one execution of the run that it names: %s', async (_what, named) => {
    const runs = new Map<string, Set<string>>();
    const checkProof: WorldOptions['checkProof'] = ({ sealed, run }) => {
      runs.set(sealed.run, (runs.get(sealed.run) ?? new Set()).add(run));
      return {};
    };
    const world = runPlan(planOf([pipeline('deploy', 'release')]), { children, checkProof });
    await world.settle();
    const to = named === 'test-run' ? world : world.children.get(named);
    to?.signal('approve', { by: 'ann', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect([...runs].map(([id, known]) => [id, known.size])).toEqual([[named, 1]]);
  });

  it('may be sealed for the child itself', async () => {
    const { world, checked } = sealedWorld(planOf([pipeline('deploy', 'release')]), () => true, { children });
    await world.settle();
    world.children.get('test-run.deploy')?.signal('approve', { by: 'ann', proof });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(checked).toMatchObject([{ run: 'test-run.deploy', step: 'ask' }]);
  });

  it('is refused by the parent if it does not hold, and never reaches the child', async () => {
    const { world, checked } = sealedWorld(planOf([pipeline('deploy', 'release')]), () => false, { children });
    await world.settle();
    await expect(world.update('approve', { by: 'ann', proof })).rejects.toMatchObject({ outcome: 'refused' });
    expect(checked).toHaveLength(1);
  });

  it.each([
    ['nothing but the claim', {}, undefined],
    ['a seal for a run that is no parent', { proof }, 'other-run'],
    ['a seal that does not hold for the parent', { proof }, 'test-run'],
  ])('is not replaced by a word that somebody else has forged: %s', async (_what, more, sealedFor) => {
    const { world } = sealedWorld(planOf([pipeline('deploy', 'release')]), () => false, { children });
    await world.settle();
    const child = world.children.get('test-run.deploy');
    child?.signal('thermidor:parent', { kind: 'signal', name: 'approve', payload: { by: 'ann', ...more }, sealedFor, checked: true });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'deploy/ask' }]);
    const journal = child?.query('journal') as JournalView;
    expect(journal.entries.filter(({ kind }) => kind === 'signal')).toEqual([]);
  });
});

test('a decision that is being checked when the execution ends is not lost', async () => {
  const steps = [command('a'), command('b'), approval('ask', { identity: 'proven' }), command('c'), command('d')];
  const world = runPlan(planOf(steps), { activitiesPerExecution: 3 });
  await world.settle();
  await world.settle();
  world.signal('approve', { by: 'ann', proof });
  await world.completes();
  expect(world.executions).toBeGreaterThan(1);
  expect(outcomes(world)).toEqual(['approve applied']);
});
