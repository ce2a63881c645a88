import { agent, command, forEach, group, parallel } from '../support/steps';
import type { Seen } from '../support/world';
import { grants, need, needing, run } from './spending';

describe('the budget of a run', () => {
  it('gives an agent that is alone all that is left, and takes back what it did not use', async () => {
    const world = run([agent('a'), agent('b')], { tokens: 100 }, { steps: { a: needing(30), b: needing(70) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)).toEqual([100, 70]);
    expect(world.status().budget).toEqual({ tokens: { ceiling: 100, spent: 100, reserved: 0, left: 0 } });
  });

  it('shares what is left in equal parts among branches that begin together', async () => {
    const branches = ['a', 'b', 'c', 'd'].map((id) => agent(id));
    const steps = Object.fromEntries(branches.map(({ id }) => [id, needing(25)]));
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)).toEqual([25, 25, 25, 25]);
  });

  it('shares among the iterations of a loop that run side by side', async () => {
    const world = run(
      [forEach('each', [agent('a')], { maxConcurrent: 4 })],
      { tokens: 100 },
      { steps: { a: needing(20) }, lists: { each: [1, 2, 3, 4] } },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)[0]).toBe(25);
    expect(world.status().budget?.tokens?.spent).toBe(80);
  });

  it('shares among branches that have steps of their own before their agents', async () => {
    const branches = ['x', 'y'].map((id) => group(id, [command(`${id}-first`), agent(`${id}-agent`)]));
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps: { 'x-agent': needing(10), 'y-agent': needing(10) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.filter(({ name }) => name === 'agent').map(({ input }) => input.budget?.tokens)).toEqual([50, 50]);
  });

  it('tops up an agent whose share does not do from what others give back', async () => {
    const world = run(
      [parallel('all', [agent('big'), agent('small')])],
      { tokens: 100 },
      { steps: { big: needing(80), small: needing(10) } },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.map(({ step, input }) => [step, input.budget?.tokens])).toEqual([
      ['big', 50],
      ['small', 50],
      ['big', 90],
    ]);
  });

  it('cannot be overspent by eight branches together', async () => {
    let spent = 0;
    const branches = Array.from({ length: 8 }, (_, i) => agent(`b${i}`));
    const steps = Object.fromEntries(
      branches.map(({ id }) => [
        id,
        (seen: Seen) => {
          const output = need(30, seen.input);
          if (!output.paused) spent += 30;
          return output;
        },
      ]),
    );
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps });
    await world.elapse();
    expect(spent).toBe(90);
    expect(world.status()).toMatchObject({ state: 'held', budget: { tokens: { spent: 90, reserved: 0, left: 10 } } });
    expect(world.status().gates).toHaveLength(1);
  });
});
