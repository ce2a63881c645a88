import { gate } from '../../activities/gates/render-gate';
import { approvalUse } from '../../activities/tools/authorise';
import type { GrantNeed } from '../../plan/brief/authority';
import type { ApprovalNeed } from '../../plan/people/category';
import type { Step } from '../../plan/steps/step';
import { DEPLOY, INPUT, planned, shopWithShell, shown } from './category-step';
import { workshop } from './workshop';

describe('the gate before an action of a category', () => {
  test('shows exactly what is about to be done, and its digest', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY]);
    const { question, document, contentSha256 } = await shown(shop, 'deploy', await planned(shop, 'production'));
    expect(question).toContain('deploy production');
    expect(document).toContain(contentSha256);
    expect(document).toContain('REGION');
    expect(contentSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has another digest if anything of it is another', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY, { ...DEPLOY, id: 'elsewhere', env: { REGION: ['us'] } }, { ...DEPLOY, id: 'fed', stdin: ['yes'] }]);
    const digests = [
      (await shown(shop, 'deploy', await planned(shop, 'production'))).contentSha256,
      (await shown(shop, 'deploy', await planned(shop, 'staging'))).contentSha256,
      (await shown(shop, 'elsewhere', await planned(shop, 'production'))).contentSha256,
      (await shown(shop, 'fed', await planned(shop, 'production'))).contentSha256,
    ];
    expect(new Set(digests).size).toBe(4);
  });

  test('shows no secret, and binds to it nevertheless', async () => {
    const digestWith = async (value: string) => {
      const shop = workshop({ secrets: { resolve: async () => value } });
      const step: Step = { ...DEPLOY, command: { shell: ['deploy --key ', { kind: 'arg', name: 'key', path: [] }] } };
      await shop.open([step], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
      const { question, document, contentSha256 } = await shown(shop, 'deploy', INPUT);
      expect(question + document).not.toContain(value);
      return contentSha256;
    };
    expect(await digestWith('sk-one-11111')).not.toBe(await digestWith('sk-two-22222'));
  });

  test('shows what an agent wants to do with a tool, under the digest that its call has', async () => {
    const { shop } = shopWithShell();
    await shop.open([{ id: 'pay', kind: 'agent', agent: 'bull' }]);
    const content = await shop.artifacts.put('{"args":{"amount":5},"tool":"transfer"}', { mediaType: 'application/json' });
    const need: ApprovalNeed = { category: 'move_money', summary: 'lunch for all', contentSha256: content.sha256, content };
    const asked = (more: Partial<ApprovalNeed> = {}) =>
      gate(shop.toolbox, shop.call('pay#1~1/gate'), { ...INPUT, category: 'move_money', need: { ...need, ...more } });
    const rendered = await asked();
    expect(rendered).toMatchObject({ question: expect.stringContaining('transfer {"amount":5}'), contentSha256: content.sha256 });
    expect(rendered.question).not.toContain('lunch');
    // Somebody can complete the activity by hand and show another text, so the yes would be to something else.
    await expect(asked({ contentSha256: 'c'.repeat(64) })).rejects.toMatchObject({ code: 'internal' });
    expect((await shop.artifacts.get(rendered.document)).toString()).toContain('"amount": 5');
  });

  test('shows what an agent’s call needs and nothing authorises, what the answers mean, and exactly the call', async () => {
    const { shop } = shopWithShell();
    await shop.open([{ id: 'pay', kind: 'agent', agent: 'bull' }]);
    const content = await shop.artifacts.put('{"args":{"branch":"main"},"tool":"publish"}', { mediaType: 'application/json' });
    const need: GrantNeed = { project: 'acme', categories: ['git_push', 'deploy'], tool: 'peek', contentSha256: content.sha256, content };
    const asked = (more: Partial<GrantNeed> = {}) =>
      gate(shop.toolbox, shop.call('pay#1~1/gate'), { ...INPUT, need: { ...need, ...more } });
    const rendered = await asked();
    expect(rendered.contentSha256).toBe(content.sha256);
    for (const words of ['git_push, deploy', 'acme', 'publish {"branch":"main"}', 'once: ', 'run: ', 'always: ', 'deny: '])
      expect(rendered.question).toContain(words);
    expect(rendered.question).not.toContain('peek');
    expect((await shop.artifacts.get(rendered.document)).toString()).toContain('"branch": "main"');
    const others = await Promise.all([asked({ categories: ['git_push'] }), asked({ project: 'other' })]);
    expect(new Set([rendered, ...others].map(({ shownSha256 }) => shownSha256)).size).toBe(3);
    await expect(asked({ contentSha256: 'c'.repeat(64) })).rejects.toMatchObject({ code: 'internal' });
  });

  test('keeps a yes that was given to a try before, to exactly this and as long as nothing has used it', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY]);
    const input = await planned(shop, 'production');
    const { contentSha256 = '' } = await shown(shop, 'deploy', input);
    const again = (id: string, of: string) =>
      gate(shop.toolbox, shop.call('deploy#1~2/gate'), { ...input, category: 'deploy', given: { id, contentSha256: of } });
    expect((await again('deploy#1~1/approval-1', contentSha256)).holds).toBe(true);
    expect((await again('deploy#1~1/approval-1', 'c'.repeat(64))).holds).toBeUndefined();
    await shop.toolbox.ledger.putIfAbsent(shop.call('deploy#1~1').key, approvalUse('deploy#1~1/approval-1'), { address: 'deploy#1~1' });
    expect((await again('deploy#1~1/approval-1', contentSha256)).holds).toBeUndefined();
    expect((await again('deploy#1~2/approval-1', contentSha256)).holds).toBe(true);
  });

  test('asks the question of the run itself if it has one, as of a budget', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY]);
    const rendered = await gate(shop.toolbox, shop.call('deploy#1~1/gate'), { ...INPUT, statement: 'The budget is reached.' });
    expect(rendered.question).toBe('The budget is reached.');
    expect(rendered.contentSha256).toBeUndefined();
  });
});
