import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import { defined } from '../../plan/defined';
import type { RecordedApproval } from '../../plan/people/category';
import type { Ledger } from '../../records/ledger';
import { DEPLOY, planned, shopWithShell, shown, yes } from './category-step';
import { aroundLines, codeOf, failureOf, KEY } from './workshop';

describe('a command of a category', () => {
  async function approved(target = 'production') {
    const { shop, ran } = shopWithShell();
    await shop.open([DEPLOY]);
    const input = await planned(shop, target);
    const { contentSha256 } = await shown(shop, 'deploy', input);
    return { shop, ran, input, contentSha256 };
  }

  test('runs with an approval of exactly what it does', async () => {
    const { shop, ran, input, contentSha256 } = await approved();
    await command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(ran).toHaveLength(1);
  });

  test.each<[string, (digest: string) => RecordedApproval[] | undefined]>([
    ['none', () => undefined],
    ['one of another category', (digest) => [yes(digest, { category: 'move_money' })]],
    ['one of another content', () => [yes('d'.repeat(64))]],
    ['a refusal', (digest) => [yes(digest, { approved: false })]],
  ])('does nothing with %s', async (_, approvals) => {
    const { shop, ran, input, contentSha256 } = await approved();
    const given = approvals(contentSha256);
    const failure = await failureOf(command(shop.toolbox, shop.call('deploy#1~1'), { ...input, ...defined({ approvals: given }) }));
    expect(failure).toMatchObject({ code: 'approval.missing', details: { category: 'deploy', contentSha256 } });
    expect(ran).toHaveLength(0);
  });

  test('does nothing if what it reads has changed since it was approved', async () => {
    const { shop, ran, contentSha256 } = await approved('staging');
    const input = await planned(shop, 'production');
    const running = command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(await codeOf(running)).toBe('approval.missing');
    expect(ran).toHaveLength(0);
  });

  test('uses an approval up: another try with the same one does nothing', async () => {
    const { shop, ran, input, contentSha256 } = await approved();
    const approvals = [yes(contentSha256)];
    await command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals });
    expect(await codeOf(command(shop.toolbox, shop.call('deploy#1~2'), { ...input, approvals }))).toBe('approval.missing');
    expect(ran).toHaveLength(1);
  });

  test('goes on with the same approval when Temporal retries the same try, if the command had not begun', async () => {
    const { shop, ran, input, contentSha256 } = await approved();
    const approvals = [yes(contentSha256)];
    const dying: Ledger = {
      ...aroundLines(shop.ledger, (_, write) => write()),
      recordLog: async (run, log) => ({
        ...(await shop.ledger.recordLog(run, log)),
        async claim() {
          throw new Error('the worker died');
        },
      }),
    };
    const first = command({ ...shop.toolbox, ledger: dying }, shop.call('deploy#1~1'), { ...input, approvals });
    await expect(first).rejects.toThrow('the worker died');
    await command(shop.toolbox, shop.call('deploy#1~1', { attempt: 2 }), { ...input, approvals });
    expect(ran).toHaveLength(1);
  });

  test('does nothing without one in a chain either', async () => {
    const { shop, ran } = shopWithShell();
    await shop.open([{ id: 'a', kind: 'command', command: { shell: ['true'] } }, DEPLOY]);
    const steps = [
      { address: 'a#1~1', input: {} },
      { address: 'deploy#1~1', input: await planned(shop, 'production') },
    ];
    const { done, failure } = await commands(shop.toolbox, shop.call('a#1~1/chain'), { run: KEY.run, steps });
    expect(done).toHaveLength(1);
    expect(failure?.code).toBe('approval.missing');
    expect(ran).toHaveLength(1);
  });
});
