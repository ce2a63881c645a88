import type { RunRequest } from '../../plan/agents/run-request';
import type { StepOutput } from '../../plan/steps/step-activity';
import { calls, dyingAfter, LEAD, type ScriptedShop, scriptedShop, text } from './scripted-shop';
import { KEY } from './workshop';

const notify = (message: string): [string, { channel: string; message: string }] => ['notify', { channel: '#errors', message }];
const notification = (n: number, message: string): RunRequest => {
  return { id: `${LEAD}/request-${n}`, agent: 'lead', kind: 'notify', channel: '#errors', message };
};
const two = () => scriptedShop({ replies: { lead: [text('done', { ...calls(notify('one'), notify('two')) })] } });

/** Calls the activity as the interpreter does: again with the requests that were taken up, and again after every death. */
async function play(shop: ScriptedShop, die: (call: number) => number | undefined): Promise<{ output: StepOutput; handed: RunRequest[] }> {
  const handed: RunRequest[] = [];
  for (let made = 0; ; made++) {
    const records = die(made);
    try {
      const input = { runRequests: handed.map(({ id }) => id) };
      const output = await shop.perform(input, LEAD, records === undefined ? undefined : dyingAfter(shop, records));
      if (output.paused?.kind !== 'run-requests') return { output, handed };
      handed.push(...output.paused.runRequests);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'killed') throw error;
    }
  }
}

describe('requests of an agent to its run', () => {
  test('are handed up one by one as they are asked for, and the agent goes on where it was', async () => {
    const { output, handed } = await play(await two(), () => undefined);
    expect(handed).toEqual([notification(1, 'one'), notification(2, 'two')]);
    expect(output).toMatchObject({ artifact: { name: 'lead.md' }, toolCalls: 2 });
  });

  test('are handed up once, wherever the worker is lost', async () => {
    const whole = await play(await two(), () => undefined);
    for (let records = 0; records < 12; records++) {
      const shop = await two();
      const { output, handed } = await play(shop, (call) => (call === 0 ? records : undefined));
      expect(handed).toEqual(whole.handed);
      expect(output).toEqual(whole.output);
    }
  });

  test('of a try that broke off are not asked for again by the one that goes on from it', async () => {
    const shop = await two();
    const first = await shop.perform();
    expect(first.paused).toEqual({ kind: 'run-requests', runRequests: [notification(1, 'one')] });
    const again = LEAD.replace('~1', '~2');
    const second = await shop.perform({ runRequests: [notification(1, 'one').id], note: { reason: 'api_error', message: '500' } }, again);
    expect(second.paused).toMatchObject({ runRequests: [{ message: 'two' }] });
  });
});

test('the end of a run that the agent has started is reported with the result of its next call, once', async () => {
  const shop = await two();
  const started = [{ workflowId: 'demo.lead.daily-1', run: 'r1' }];
  const says = { step: LEAD, kind: 'ended', state: 'completed', output: { value: 1 } };
  await shop.ledger.append({ workflowId: 'demo.lead.daily-1', run: 'r1' }, `to/${KEY.workflowId}`, { by: 'r1', n: 1, for: KEY.run, says });
  await shop.perform({ started });
  await shop.perform({ started, runRequests: [notification(1, 'one').id] });
  const [first, second] = await shop.answers();
  expect(first).toContain('[The run demo.lead.daily-1 that you started has ended: completed.]');
  expect(second).toBe('{"status":"accepted"}');
});
