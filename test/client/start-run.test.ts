import { DirectorySeals } from '../../activities/adapters/seals';
import type { ThermidorClient } from '../../client/connect';
import { type StartRun, startRun } from '../../client/start-run';
import type { RunInput } from '../../plan/run/run-input';
import type { JsonObject } from '../../plan/text/json';

/** The start that is requested from the server. */
async function started(start: StartRun): Promise<{ type: string; options: { args: unknown[]; workflowIdReusePolicy: string } }> {
  const asked: { type: string; options: { args: unknown[]; workflowIdReusePolicy: string } }[] = [];
  const temporal = {
    workflow: {
      start: async (type: string, options: { args: unknown[]; workflowIdReusePolicy: string }) => {
        asked.push({ type, options });
        return { workflowId: start.workflowId, firstExecutionRunId: 'r1' };
      },
    },
  };
  const client = { temporal, namespace: 'default', taskQueue: 'thermidor', call: async <T>(request: () => Promise<T>) => request() };
  await startRun(client as unknown as ThermidorClient, start);
  return asked[0]!;
}

test('the workflow’s type is the pipeline, and what is not given is not in its input', async () => {
  const { type, options } = await started({ workflowId: 'daily-1', pipeline: 'daily', args: {} });
  expect(type).toBe('daily');
  expect(options.args).toEqual([{}]);
  expect(options.workflowIdReusePolicy).toBe('REJECT_DUPLICATE');
});

test('who starts it travels with the run, so that four eyes are four', async () => {
  const { options } = await started({ workflowId: 'daily-1', pipeline: 'daily', startedBy: 'eve', args: { a: 1 } });
  expect(options.args).toEqual([{ startedBy: 'eve', args: { a: 1 } }]);
});

test('a token seals who starts which run with what, and goes nowhere itself', async () => {
  const start: StartRun = { workflowId: 'daily-1', pipeline: 'daily', startedBy: 'eve', token: 'a token of eve herself', args: { a: 1 } };
  const [input] = (await started(start)).options.args as [RunInput];
  expect(JSON.stringify(input)).not.toContain('a token of');
  const { proof, ...said } = input;
  expect(said).toEqual({ startedBy: 'eve', args: { a: 1 } });
  const seals = new DirectorySeals({ eve: { token: 'a token of eve herself' } }, { resolve: async (text) => text }, async () =>
    Buffer.from(''),
  );
  const statement = {
    kind: 'start',
    namespace: 'default',
    run: 'daily-1',
    pipeline: 'daily',
    by: 'eve',
    input: said as JsonObject,
  } as const;
  expect(proof && (await seals.check(statement, proof))).toBeUndefined();
});

test('a token of nobody seals nothing', async () => {
  const { options } = await started({ workflowId: 'daily-1', pipeline: 'daily', token: 'a token of eve herself' });
  expect(options.args).toEqual([{}]);
});
