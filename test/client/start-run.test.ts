import type { ThermidorClient } from '../../client/connect';
import { type StartRun, startRun } from '../../client/start-run';

/** What the server is asked to start. */
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
  const client = { temporal, taskQueue: 'thermidor', call: async <T>(request: () => Promise<T>) => request() };
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
