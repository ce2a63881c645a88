import { ThermidorFailure } from '../../plan/run/failure';
import { NotStarted } from '../../workflows/run-context';
import { agent } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World } from '../support/world';

const elsewhere = (host: string, silentMs = 2000): Error =>
  new ThermidorFailure('folder.elsewhere', `the files are on ${host}`, { host, silentMs });

/** These errors, one for each call, then a result. */
function refuses(...errors: Error[]): StepBehaviour {
  return () => {
    const next = errors.shift();
    if (next) throw next;
    return { artifact: artifact('done') };
  };
}

const where = ({ calls }: World) =>
  calls.filter(({ name }) => name === 'agent').map(({ options: { host, queue, scheduleToStartMs } }) => [host, queue, scheduleToStartMs]);
const step = agent('bull', { queue: 'gpu' });

describe('an agent whose step has a folder of its own', () => {
  it('works wherever it is taken up, if nobody refuses it', async () => {
    const world = runPlan(planOf([step]), { steps: { bull: refuses() } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(where(world)).toEqual([[undefined, 'gpu', undefined]]);
  });

  it("is given to the living host that has the files, on that host's own queue, within the same try", async () => {
    const world = runPlan(planOf([step]), { steps: { bull: refuses(elsewhere('a')) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(where(world)).toEqual([
      [undefined, 'gpu', undefined],
      ['a', undefined, 2000],
    ]);
    expect(world.step('bull')).toMatchObject({ state: 'done', try: 1 });
  });

  it('may be taken up by anybody once that host does not, and waits longer for one that lives', async () => {
    const errors = [elsewhere('a'), new NotStarted(), elsewhere('a'), new NotStarted(), elsewhere('b')];
    const world = runPlan(planOf([step]), { steps: { bull: refuses(...errors) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(where(world)).toEqual([
      [undefined, 'gpu', undefined],
      ['a', undefined, 2000],
      [undefined, 'gpu', undefined],
      ['a', undefined, 4000],
      [undefined, 'gpu', undefined],
      ['b', undefined, 8000],
    ]);
  });

  it('waits neither without end nor in a hurry, whatever a worker says', async () => {
    const world = runPlan(planOf([step]), { steps: { bull: refuses(elsewhere('a', 0), elsewhere('b', 1e12)) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(where(world).map(([, , ms]) => ms)).toEqual([undefined, 1000, 3_600_000]);
  });

  it('fails as it would anywhere, and so does a refusal that names no host', async () => {
    const failed = runPlan(planOf([step]), { steps: { bull: refuses(elsewhere('a'), new ThermidorFailure('output.too-large', 'large')) } });
    await expect(failed.result).rejects.toMatchObject({ code: 'output.too-large' });
    const forged = runPlan(planOf([step]), { steps: { bull: refuses(new ThermidorFailure('folder.elsewhere', 'where?', { host: 7 })) } });
    await expect(forged.result).rejects.toMatchObject({ code: 'folder.elsewhere' });
  });
});
