import { executionsOf } from '../../client/executions';
import { listRuns } from '../../client/list-runs';

/** A server that gives a page in time, and not all of a long list. */
const [PAGES, OF_PAGE] = [5, 3];

function slowServer(): Parameters<typeof listRuns>[0] {
  let pages = 0;
  return {
    taskQueue: 'q',
    call: async (ask: () => Promise<unknown>) => {
      const before = pages;
      const answer = await ask();
      if (pages > before + 1) throw new Error('there was no answer within the time limit');
      return answer;
    },
    temporal: {
      workflow: {
        async *list() {
          for (let page = 0; page < PAGES; page += 1) {
            pages += 1;
            for (let n = 0; n < OF_PAGE; n += 1) {
              yield { workflowId: `run-${page}-${n}`, runId: 'r', type: 'p', startTime: new Date(0), status: { name: 'RUNNING' } };
            }
          }
        },
      },
    },
  } as unknown as Parameters<typeof listRuns>[0];
}

test('each page of a long list has the time of one answer', async () => {
  const found: string[] = [];
  for await (const { workflowId } of executionsOf(slowServer(), '')) found.push(workflowId);
  expect([found.length, found[0], found.at(-1)]).toEqual([PAGES * OF_PAGE, 'run-0-0', 'run-4-2']);
  expect(await listRuns(slowServer(), { limit: 100 })).toHaveLength(PAGES * OF_PAGE);
});
