import type { Toolbox } from '../../../activities/toolbox';
import type { Plan } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import { done, shop, stage, step, stored } from './pipe-step';

describe('workflows.list', () => {
  test('describes what the worker finds, and says why one cannot be used', async () => {
    const pipelines: Toolbox['pipelines'] = {
      names: () => ['bad', 'good'],
      pipeline: async (name) => {
        if (name === 'bad') throw new ThermidorFailure('pipeline.invalid', 'a mistake');
        const plan: Plan = { irVersion: 2, name, source: '', trigger: { kind: 'manual' }, block: { order: 'sequence', steps: [] } };
        return { plan: { ...plan, description: 'Good.', args: { n: { type: 'number', required: true } } }, blobs: new Map() };
      },
      script: async () => {
        throw new Error('no script');
      },
      readScript: () => {
        throw new Error('no script');
      },
    };
    const at = shop(undefined, { pipelines });
    const { artifact } = await done(at, step([stage('workflows.list', [])]));
    expect(JSON.parse((await stored(at, artifact)).content)).toMatchObject([
      { name: 'bad', error: { code: 'pipeline.invalid' } },
      { name: 'good', description: 'Good.', argsSchema: { properties: { n: { type: 'number' } }, required: ['n'] } },
    ]);
  });
});
