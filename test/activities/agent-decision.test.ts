import { decided } from '../../activities/tools/board/of-member';
import type { Tool, ToolUse } from '../../activities/tools/tool';
import type { DecisionAnswer, DecisionRequest } from '../../plan/agents/decision';
import type { ScriptedReply } from '../../plan/agents/script';
import type { MemberWork } from '../../plan/board/member-work';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import { calls, dyingAfter, LEAD, noting, type ScriptedShop, scriptedShop, text } from './scripted-shop';

const MEMBER: MemberWork = { name: 'bob', team: 'backlog', context: [], inbox: 'inbox', maxTurns: 50, others: [] };

/** A tool that asks the run for a task by its number. */
function claiming(): Tool & { uses: ToolUse[] } {
  const uses: ToolUse[] = [];
  return {
    uses,
    description: 'claims',
    parameters: { type: 'object' },
    async call(args, use) {
      uses.push(use);
      if (!use.board) return { text: 'no board', refused: true };
      return await decided(use, { kind: 'claim_task', task: Number(field(args, 'task')) });
    },
  };
}

type Shop = ScriptedShop & { claim: ReturnType<typeof claiming>; note: ReturnType<typeof noting> };

async function team(replies: ScriptedReply[], categories?: Record<string, string[]>): Promise<Shop> {
  const claim = claiming();
  const note = noting();
  const shop = await scriptedShop({
    ...{ lead: { ...(categories ? { categories } : {}) }, toolbox: { tools: { claim, note } } },
    replies: { lead: replies },
  });
  return { ...shop, claim, note };
}

const claims = (...numbers: number[]): [string, Json][] => numbers.map((task) => ['claim', { task }]);

function asksOf({ paused }: StepOutput): DecisionRequest[] {
  return paused?.kind === 'decision' ? paused.asks : [];
}

/** Decides as a board does: each task is given once. A request is decided once, no matter who asks again. */
function board() {
  const decided: DecisionAnswer[] = [];
  let again = 0;
  return {
    decided,
    again: () => again,
    decide({ id, request }: DecisionRequest): DecisionAnswer {
      const before = decided.find((one) => one.id === id);
      if (before) {
        again += 1;
        return before;
      }
      const said = request.kind === 'claim_task' ? { claimed: request.task } : null;
      const answer = { id, said };
      decided.push(answer);
      return answer;
    },
  };
}

/** Calls the activity until its work is done, as a run does. */
async function toTheEnd(shop: Shop, { decide }: ReturnType<typeof board>, begin: Partial<StepInput> = {}): Promise<StepOutput> {
  let input: Partial<StepInput> = { member: MEMBER, ...begin };
  for (;;) {
    const output = await shop.perform(input);
    const asks = asksOf(output);
    if (asks.length === 0) return output;
    input = { member: MEMBER, decisions: asks.map(decide) };
  }
}

describe('a decision of the run within a call of a tool', () => {
  test('pauses the try with what it asks, and is the call’s own result when the try goes on', async () => {
    const shop = await team([text('done', calls(...claims(7)))]);
    const first = await shop.perform({ member: MEMBER });
    expect(first.paused).toEqual({
      kind: 'decision',
      asks: [{ id: expect.stringContaining(`${LEAD}/1/call-1`), agent: 'lead', request: { kind: 'claim_task', task: 7 } }],
    });
    expect(await shop.answers()).toEqual([]);
    const [ask] = asksOf(first);
    const output = await shop.perform({ member: MEMBER, decisions: [{ id: ask!.id, said: { claimed: 7 } }] });
    expect(output.paused).toBeUndefined();
    expect(await shop.answers()).toEqual(['{"claimed":7}']);
    expect(shop.given).toEqual(['done']);
  });

  test('that is refused is a refusal of the tool', async () => {
    const shop = await team([text('done', calls(...claims(7)))]);
    const [ask] = asksOf(await shop.perform({ member: MEMBER }));
    const output = await shop.perform({ member: MEMBER, decisions: [{ id: ask!.id, said: 'already_claimed', refused: true }] });
    expect(output.journal).toMatchObject([{ kind: 'tool', tool: 'claim', outcome: 'refused', reason: 'already_claimed' }]);
  });

  test('of another call does not count, be it stale or forged', async () => {
    const shop = await team([text('done', calls(...claims(7, 8)))]);
    const [first] = asksOf(await shop.perform({ member: MEMBER }));
    const forged = ['', 'call-1', `${LEAD}/1/call-1`, `${first!.id}0`].map((id) => ({ id, said: 'forged' }));
    expect(asksOf(await shop.perform({ member: MEMBER, decisions: forged }))).toEqual([first]);
    const stale = { id: first!.id, said: 'first' };
    const [second] = asksOf(await shop.perform({ member: MEMBER, decisions: [stale] }));
    expect(second).toMatchObject({ request: { task: 8 } });
    expect(asksOf(await shop.perform({ member: MEMBER, decisions: [stale] }))).toEqual([second]);
    expect(await shop.answers()).toEqual(['first']);
  });

  test('once recorded stays, whatever a later input says', async () => {
    const shop = await team([text('done', calls(...claims(7, 8)))]);
    const [first] = asksOf(await shop.perform({ member: MEMBER }));
    await shop.perform({ member: MEMBER, decisions: [{ id: first!.id, said: 'first' }] });
    const changed = { id: first!.id, said: 'changed' };
    const [second] = asksOf(await shop.perform({ member: MEMBER, decisions: [changed] }));
    await shop.perform({ member: MEMBER, decisions: [changed, { id: second!.id, said: 'second' }] });
    expect(await shop.answers()).toEqual(['first', 'second']);
  });

  test('is one of several in a turn, among other tools: each call is made once, in order, and gets its own answer', async () => {
    const made: [string, Json][] = [['note', { n: 1 }], ...claims(7), ['note', { n: 2 }], ...claims(8, 8), ['note', { n: 3 }]];
    const shop = await team([text('done', calls(...made))]);
    const one = board();
    await toTheEnd(shop, one);
    expect(await shop.answers()).toHaveLength(6);
    expect((await shop.answers()).filter((said) => said.includes('claimed'))).toEqual(['{"claimed":7}', '{"claimed":8}', '{"claimed":8}']);
    expect(shop.note.called).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(one.decided).toHaveLength(3);
    expect(shop.given).toEqual(['done']);
  });

  test('is given once, whatever record its worker is lost after', async () => {
    for (let records = 1; ; records++) {
      const shop = await team([text('done', calls(...claims(7), ['note', {}], ...claims(8)))]);
      const one = board();
      let input: Partial<StepInput> = { member: MEMBER };
      const toolbox = dyingAfter(shop, records);
      let died = false;
      for (;;) {
        const output: StepOutput = await shop.perform(input, LEAD, died ? shop.toolbox : toolbox).catch((error: Error) => {
          expect(error.message).toBe('killed');
          died = true;
          return shop.perform(input);
        });
        const asks = asksOf(output);
        if (asks.length === 0) break;
        input = { member: MEMBER, decisions: asks.map(one.decide) };
      }
      expect((await shop.answers()).filter((said) => said.includes('claimed'))).toEqual(['{"claimed":7}', '{"claimed":8}']);
      expect(one.decided).toHaveLength(2);
      expect(one.again()).toBe(0);
      // The stand-in says a reply for each request, also for one whose record was lost: at most one more.
      expect(shop.given.length).toBeLessThanOrEqual(died ? 2 : 1);
      if (!died) return;
    }
  });

  test('goes with the conversation into a try that continues from one that a service error broke off', async () => {
    const shop = await team([text('done', calls(...claims(7)))]);
    const [ask] = asksOf(await shop.perform({ member: MEMBER }));
    const note = { reason: 'api_error' as const, message: '500' };
    const again = 'lead#1~2';
    expect(asksOf(await shop.perform({ member: MEMBER, note }, again))).toEqual([ask]);
    await shop.perform({ member: MEMBER, note, decisions: [{ id: ask!.id, said: 'yes' }] }, again);
    expect(await shop.answers(again)).toEqual(['yes']);
    expect(shop.given).toHaveLength(1);
  });

  test('does not use up the one call that a category lets through', async () => {
    const shop = await team([text('done', calls(...claims(7)))], { move_money: ['claim'] });
    const { paused } = await shop.perform({ member: MEMBER });
    const need = paused?.kind === 'approval' ? paused.need : undefined;
    const approvals = [{ id: `${LEAD}/approval-1`, category: need!.category, contentSha256: need!.contentSha256, approved: true }];
    const [ask] = asksOf(await shop.perform({ member: MEMBER, approvals }));
    await shop.perform({ member: MEMBER, approvals, decisions: [{ id: ask!.id, said: 'yes' }] });
    expect(await shop.answers()).toEqual(['yes']);
  });

  test('is not asked for by an agent that is no member', async () => {
    const shop = await team([text('done', calls(...claims(7)))]);
    expect((await shop.perform()).paused).toBeUndefined();
    expect(await shop.answers()).toEqual(['no board']);
  });
});
