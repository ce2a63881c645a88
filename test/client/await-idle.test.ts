import { setTimeout as wait } from 'node:timers/promises';
import { awaitIdle } from '../../client/await-idle';
import type { ThermidorClient } from '../../client/connect';

const REMARKABLE = { eventId: 1, workflowPropertiesModifiedEventAttributes: {} };
const GATES = [{ step: 'branch', kind: 'approval' }];

/** A server whose polls bring these events, and then time out with none; and a run that answers one state after the other. */
function server(
  polls: object[][],
  states: string[],
  emptyAfterMs: number,
): { client: ThermidorClient; asked: { polls: number; states: number } } {
  const asked = { polls: 0, states: 0 };
  const client = {
    namespace: 'default',
    connection: { withAbortSignal: (_: unknown, work: () => unknown) => work() },
    call: (work: () => unknown) => work(),
    temporal: {
      workflowService: {
        getWorkflowExecutionHistory: async () => {
          const events = polls[asked.polls];
          asked.polls += 1;
          if (events === undefined) await wait(emptyAfterMs);
          return { history: { events: events ?? [] }, nextPageToken: new Uint8Array([1]) };
        },
      },
      workflow: {
        getHandle: () => ({
          query: async () => {
            const state = states[Math.min(asked.states, states.length - 1)];
            asked.states += 1;
            return { state, gates: state === 'waiting' || state === 'running' ? GATES : [], steps: [] };
          },
        }),
      },
    },
  } as unknown as ThermidorClient;
  return { client, asked };
}

test.each([
  ['calls off at once, because so short a time is too short for it', 0],
  ['answers with nothing', 30],
])('a branch that ends without a word next to an open gate is noticed by a poll that the server %s', async (_what, emptyAfterMs) => {
  const { client, asked } = server([[REMARKABLE], [{ eventId: 2 }]], ['running', 'running', 'waiting'], emptyAfterMs);
  const rest = await awaitIdle(client, 'r', { signal: AbortSignal.timeout(4_000) });
  expect(rest).toMatchObject({ kind: 'waits', view: { state: 'waiting' } });
  expect(asked.states).toBe(3);
  // A poll that brought nothing is not followed by another one at once.
  expect(asked.polls).toBeLessThan(6);
});
