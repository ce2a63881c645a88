import { CATEGORIES } from '../../plan/people/category';
import { runWhole } from '../support/whole-run';

const transfer = {
  description: () => 'Moves money.',
  parameters: { type: 'object', properties: { amount: { type: 'number' } } },
};

describe('point 9: human nodes', () => {
  it.each(CATEGORIES)('a step of category %s waits for a yes on #approvals, and does it then', async (category) => {
    const run = runWhole(
      `requires_approval: [${category}]\nsteps:\n  - {id: act, run: "echo \${args.what}", category: ${category}}\nargs: {what: {default: it}}\n`,
    );
    await run.quiet();
    expect(run.calls.filter(({ name }) => name === 'command')).toEqual([]);
    expect(run.status().gates).toMatchObject([{ step: 'act', kind: 'approval', channel: '#approvals', category }]);
    expect(run.status().gates[0]?.question).toContain('echo it');
    expect(run.notices).toMatchObject([{ channel: '#approvals' }]);
    run.signal('approve', { by: 'chairman' });
    await run.completes();
    expect((await run.journal()).filter((entry) => entry.kind === 'approval')).toMatchObject([
      { event: 'granted', category, by: 'chairman', contentSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { event: 'used', category, by: 'chairman', contentSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('is not done if a person says no', async () => {
    const run = runWhole('requires_approval: [deploy]\nsteps:\n  - {id: act, run: "true", category: deploy}\n');
    await run.quiet();
    run.signal('reject', { by: 'chairman', comment: 'not today' });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ status: 'rejected' });
    expect(run.calls.filter(({ name }) => name === 'command')).toEqual([]);
  });

  it('an approval is for one try: the next needs its own', async () => {
    const run = runWhole('requires_approval: [deploy]\nsteps:\n  - {id: act, run: "false", category: deploy, retry: {max: 2}}\n');
    await run.quiet();
    run.signal('approve', { by: 'chairman' });
    await run.quiet(() => run.status().gates.length > 0 && run.calls.some(({ name }) => name === 'command'));
    expect(run.calls.filter(({ name }) => name === 'command').map(({ address }) => address)).toEqual(['act#1~1']);
    expect(run.status().gates).toMatchObject([{ category: 'deploy' }]);
    run.signal('approve', { by: 'chairman' });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'command.failed' });
  });

  it('an agent’s tool in a category is called with an approval alone, of exactly this call, and once', async () => {
    const moved: unknown[] = [];
    const tools = {
      transfer: {
        ...transfer,
        call: async (args: unknown) => {
          moved.push(args);
          return { text: 'done' };
        },
      },
    };
    const files = { 'agents/lead.yaml': 'role: Leads.\ntools: [transfer]\ncategories: {move_money: [transfer]}\n' };
    const call = '{tool: transfer, args: {amount: 5}}';
    const run = runWhole('steps:\n  - {id: pay, agent: lead}\n', {
      files,
      toolbox: { tools } as never,
      script: `replies:\n  pay: [{calls: [${call}, ${call}], text: paid}]\n`,
    });
    await run.quiet();
    expect(moved).toEqual([]);
    expect(run.status().gates).toMatchObject([{ step: 'pay', category: 'move_money', question: expect.stringContaining('"amount":5') }]);
    run.signal('approve', { by: 'chairman' });
    await run.completes();
    expect(moved).toEqual([{ amount: 5 }]);
    const journal = await run.journal();
    expect(journal.flatMap((entry) => (entry.kind === 'approval' ? [entry.event] : []))).toEqual(['granted', 'used']);
    expect(journal.filter((entry) => entry.kind === 'tool')).toMatchObject([{ tool: 'transfer', outcome: 'refused' }]);
  });
});
